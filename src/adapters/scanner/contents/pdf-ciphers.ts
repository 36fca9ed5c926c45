import { createCipheriv, createHash } from 'node:crypto'

/** Node.js no longer provides this cipher. */
export function rc4(key: Buffer, bytes: Buffer): Buffer {
  const box = Uint8Array.from({ length: 256 }, (_, at) => at)
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (box[i] as number) + (key[i % key.length] as number)) & 0xff
    swap(box, i, j)
  }
  const out = Buffer.alloc(bytes.length)
  for (let at = 0, i = 0, j = 0; at < bytes.length; at++) {
    i = (i + 1) & 0xff
    j = (j + (box[i] as number)) & 0xff
    swap(box, i, j)
    out[at] = (bytes[at] as number) ^ (box[((box[i] as number) + (box[j] as number)) & 0xff] as number)
  }
  return out
}

function swap(box: Uint8Array, i: number, j: number): void {
  const kept = box[i] as number
  box[i] = box[j] as number
  box[j] = kept
}

/** Algorithm 2.B of ISO 32000-2, for a user's password. */
export function hashOfRevision6(password: Buffer, salt: Buffer): Buffer {
  let key = createHash('sha256').update(password).update(salt).digest()
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const repeated = Buffer.concat(Array<Buffer>(64).fill(Buffer.concat([password, key])))
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false)
    const mixed = cipher.update(repeated)
    const remainder = mixed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = createHash(['sha256', 'sha384', 'sha512'][remainder] as string)
      .update(mixed)
      .digest()
    last = mixed.at(-1) as number
  }
  return key.subarray(0, 32)
}
