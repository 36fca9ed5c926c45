/** What a write can be measured with and without. */
export type Variant = 'with' | 'without'

/**
 * Measures a speed with and without something in turn, so that anything else that changes on the machine affects both alike, and
 * says in one line how much of it is lost.
 */
export async function lossOf(
  name: string,
  rounds: number,
  measure: (variant: Variant) => Promise<number>,
): Promise<string> {
  const speeds: Record<Variant, number[]> = { with: [], without: [] }
  for (let round = 0; round < rounds; round++) {
    // The order alternates from round to round.
    for (const variant of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const))
      speeds[variant].push(await measure(variant))
  }
  const lost = speeds.with.map((speed, round) => 1 - speed / (speeds.without[round] as number))
  return (
    `${name}: ${middle(speeds.with).toFixed(0)} a second with it, ${middle(speeds.without).toFixed(0)} without; ` +
    `lost ${percent(middle(lost))} in the middle of ${rounds} rounds, a quarter lost less than ${percent(quarter(lost, 1))} and a quarter more than ${percent(quarter(lost, 3))}\n`
  )
}

function quarter(numbers: number[], n: 0 | 1 | 2 | 3): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length * n) / 4)] as number
}

function middle(numbers: number[]): number {
  return quarter(numbers, 2)
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`
}
