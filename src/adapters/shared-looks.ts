/** How long an answer is used again: askers who come every half second cause about one look a second, all together. */
const TRUE_FOR_MS = 700

/**
 * Answers many who ask often whether there is something for them: those who ask at about the same time share one look. `look`
 * returns those for whom there is something.
 */
export function shareLooks<T>(look: () => Promise<Set<T>>) {
  let last: { at: number; found: Promise<Set<T>> } | undefined

  return {
    /** The next one who asks causes a look. */
    renew(): void {
      last = undefined
    },

    async isThereFor(one: T): Promise<boolean> {
      const now = performance.now()
      if (!last || now - last.at > TRUE_FOR_MS) last = { at: now, found: look() }
      return (await last.found).has(one)
    },
  }
}
