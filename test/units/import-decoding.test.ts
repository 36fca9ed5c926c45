import { describe, expect, it } from 'vitest'
import { createDecoder } from '../../cli/src/import/decoding.ts'

/** Arabic as Excel saves it on Windows. */
const WINDOWS = Buffer.from([0xe3, 0xdf, 0xca, 0xc8])
const read = (portions: Buffer[], encoding: 'utf-8' | 'windows-1256' = 'utf-8') => {
  const { decode } = createDecoder('tasks.csv', encoding)
  return portions.map(portion => decode(portion)).join('') + decode()
}

describe('A file that is not UTF-8', () => {
  it.each([
    ['in its first line', [WINDOWS], 1],
    ['in a later line', [Buffer.from('Title\n\u0645\n'), WINDOWS], 3],
    ['in a line that an earlier portion began', [Buffer.from('Title\nx,'), WINDOWS], 2],
    ['after a very long line', [Buffer.concat([Buffer.from(`${'x'.repeat(100_000)},`), WINDOWS])], 1],
  ])('is refused, with a line as it would read in Windows Arabic: %s', (_, portions, line) => {
    expect(() => read(portions)).toThrow(
      new RegExp(`^tasks.csv is not UTF-8. .*windows-1256, line ${line} reads ".*مكتب"`),
    )
  })

  it('is refused when its last letter is cut off', () => {
    expect(() => read([Buffer.from('Title\nم').subarray(0, -1)])).toThrow('line 2 reads')
  })

  it('is read when its encoding is named, and UTF-8 whichever way it is cut, without its byte order mark', () => {
    expect(read([WINDOWS], 'windows-1256')).toBe('مكتب')
    const bytes = Buffer.from('\ufeffمكتب\n😀')
    expect(read(Array.from(bytes, byte => Buffer.from([byte])))).toBe('مكتب\n😀')
  })
})
