import { expect, it } from 'vitest'
import { createUtf8Check } from '../../src/lib/utf8.ts'

it('Whether bytes are UTF-8 does not depend on where they were cut', () => {
  const isUtf8 = (bytes: Uint8Array, at: number) => {
    const check = createUtf8Check()
    for (const piece of [bytes.subarray(0, at), bytes.subarray(at)]) check.take(piece)
    return check.end()
  }
  const text = Buffer.from('خطة 😀')
  for (let at = 0; at <= text.length; at++) {
    expect(isUtf8(text, at)).toBe(true)
    expect(isUtf8(text.subarray(0, -1), at)).toBe(false)
    expect(isUtf8(Buffer.concat([Buffer.of(0xff), text]), at)).toBe(false)
  }
})
