/** A longer word is not a typing mistake. */
const LONGEST_WORD = 40

/** The name that was probably meant; undefined when none is close. */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  if (word.length > LONGEST_WORD) return undefined
  const bound = Math.max(1, Math.floor(word.length / 3))
  let best: { name: string; steps: number } | undefined
  for (const name of names) {
    const steps = distance(word, name)
    if (steps <= bound && steps < (best?.steps ?? Number.POSITIVE_INFINITY)) best = { name, steps }
  }
  return best?.name
}

/** How many letters have to be added, left out, replaced or swapped with their neighbour. */
function distance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, n) => n)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1]
      const steps = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (isSame ? 0 : 1))
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row.push(isSwapped ? Math.min(steps, at(beforeLast, j - 2) + 1) : steps)
    }
    beforeLast = last
    last = row
  }
  return at(last, to.length)
}

const at = (row: number[], n: number): number => row[n] ?? 0
