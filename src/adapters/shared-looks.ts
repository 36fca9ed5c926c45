/** How long an answer counts. Those who ask every half second cause one look a second, all together. */
const TRUE_FOR_MS = 700
/** A transaction that has added something may commit a little later: until then, it is looked for anyway. */
const EXPECTED_FOR_MS = 2_000

/**
 * Many ask often whether there is something for them; one look answers for all who ask at about the same time. `look` returns
 * those for whom there is something.
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
