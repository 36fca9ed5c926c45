const UNITS = ['KB', 'MB', 'GB'] as const

/** A size for people: `512 Bytes`, `1.5 KB`, `5 MB`. */
export function humanSize(sizeBytes: number): string {
  if (sizeBytes < 1024) return `${sizeBytes} ${sizeBytes === 1 ? 'Byte' : 'Bytes'}`
  let value = sizeBytes
  let unit = ''
  for (const next of UNITS) {
    if (value < 1024) break
    value /= 1024
    unit = next
  }
  return `${Number(value.toFixed(value < 10 ? 2 : 1))} ${unit}`
}
