/**
 * The value below which this share of the counted values lies, estimated from buckets: values are taken to be spread evenly
 * within a bucket. `bounds` are the upper ends of the buckets; the last count is of what lies beyond. Null if nothing was
 * counted.
 */
export function quantile(bounds: number[], counts: number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let rest = share * total
  for (const [n, bound] of bounds.entries()) {
    const count = counts[n] ?? 0
    const from = bounds[n - 1] ?? 0
    if (rest <= count) return count === 0 ? from : from + (bound - from) * (rest / count)
    rest -= count
  }
  return bounds.at(-1) ?? null
}
