/** How long an answer is used again: askers who come every half second cause about one look a second, all together. */
const TRUE_FOR_MS = 700
/**
 * For this long after `expect` the answer is yes without a look: the transaction that adds something may not have committed
 * yet.
 */
const EXPECTED_FOR_MS = 2_000

/**
 * Answers many who ask often whether there is something for them: those who ask at about the same time share one look. `look`
 * returns those for whom there is something.
 */
export function shareLooks<T>(look: () => Promise<Set<T>>) {
  let last: { at: number; found: Promise<Set<T>> } | undefined
  const expected = new Map<T, number>()

  return {
    /** There will be something for this one shortly. */
    expect(one: T): void {
      expected.set(one, performance.now())
    },

    async isThereFor(one: T): Promise<boolean> {
      const now = performance.now()
      if (now - (expected.get(one) ?? Number.NEGATIVE_INFINITY) < EXPECTED_FOR_MS) return true
      if (!last || now - last.at > TRUE_FOR_MS) last = { at: now, found: look() }
      return (await last.found).has(one)
    },
  }
}
