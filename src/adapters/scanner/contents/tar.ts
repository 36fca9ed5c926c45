import type { Allowance, Member } from './allowance.ts'
import { Unreadable } from './unreadable.ts'

const BLOCK = 512

export function isTar(bytes: Buffer): boolean {
  return bytes.length >= BLOCK && (bytes.toString('latin1', 257, 262) === 'ustar' || hasChecksum(bytes))
}

function hasChecksum(header: Buffer): boolean {
  const stated = Number.parseInt(header.toString('latin1', 148, 156).trim(), 8)
  let sum = 0
  for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 0x20 : (header[at] as number)
  return sum === stated
}

/** Blocks of zeros end a tar, but some programs read on, and so does this. */
export function* openTar({ bytes }: Member, allowance: Allowance): Generator<Member> {
  let longName: string | undefined
  let longSize: number | undefined
  for (let at = 0; at < bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK)
    at += BLOCK
    if (header.every(byte => byte === 0)) continue
    if (header.length < BLOCK || !hasChecksum(header)) throw new Unreadable('Broken')
    const type = String.fromCharCode(header[156] as number)
    const size = longSize ?? readTarSize(header)
    const content = bytes.subarray(at, at + size)
    // Programs disagree on whether a link or a folder that claims to have bytes really has them.
    if (content.length < size || ('123456'.includes(type) && size > 0)) throw new Unreadable('Broken')
    if (type === 'S') throw new Unreadable('Unsupported')
    at += Math.ceil(size / BLOCK) * BLOCK
    if (type === 'L') longName = content.toString('utf8').replace(/\0.*$/s, '')
    else if (type === 'x') {
      longName = readPax(content, 'path') ?? longName
      longSize = readPaxSize(content)
    } else if (!'Kg'.includes(type)) {
      yield { name: longName ?? readTarName(header), part: 'file', bytes: allowance.spend(content) }
      longName = longSize = undefined
    }
  }
}

const readTarName = (header: Buffer) => header.toString('utf8', 0, 100).replace(/\0.*$/s, '')

/** Octal, or binary if the highest bit is set. */
function readTarSize(header: Buffer): number {
  const text = header.toString('latin1', 124, 136).replace(/\0.*$/s, '').trim()
  const size = (header[124] as number) & 0x80 ? header.readUIntBE(130, 6) : text === '' ? 0 : Number.parseInt(text, 8)
  if (!Number.isSafeInteger(size) || size < 0) throw new Unreadable('Broken')
  return size
}

function readPax(content: Buffer, key: string): string | undefined {
  return new RegExp(`^\\d+ ${key}=(.*)$`, 'm').exec(content.toString('utf8'))?.[1]
}

function readPaxSize(content: Buffer): number | undefined {
  const text = readPax(content, 'size')
  if (text !== undefined && !/^\d{1,15}$/.test(text)) throw new Unreadable('Broken')
  return text === undefined ? undefined : Number(text)
}
