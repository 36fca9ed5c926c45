export interface ByteRange {
  start: number
  /** Inclusive. */
  end: number
}

/** The one range that a Range header asks for; undefined when the whole file is sent, as for a header that makes no sense. */
export function readRange(header: string | undefined, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = header?.match(/^bytes=(\d*)-(\d*)$/) ?? []
  if (from === '' && to === '') return undefined
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  return start <= end ? { start, end } : 'unsatisfiable'
}
