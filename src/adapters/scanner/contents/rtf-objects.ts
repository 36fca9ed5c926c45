import type { Allowance, Member } from './allowance.ts'

export const isRtf = (bytes: Buffer) => bytes.subarray(0, 64).includes('{\\rt')

/** Embedded objects are written in hexadecimal, which hostile documents break up with spaces, groups and commands. */
export function* openRtf({ name, bytes }: Member, allowance: Allowance): Generator<Member> {
  const text = bytes.toString('latin1')
  const marker = /\\objdata(?![a-z])/g
  while (marker.exec(text)) {
    const start = marker.lastIndex
    const end = endOfGroup(text, start)
    const digits = text.slice(start, end).replace(/\\'..|\\[a-z]+-?\d*|\\.|[^\da-f]/gis, '')
    const object = allowance.spend(Buffer.from(digits, 'hex'))
    yield { name, part: 'object', bytes: object }
    const inside = object.indexOf('d0cf11e0a1b11ae1', 0, 'hex')
    if (inside > 0) yield { name, part: 'file', bytes: allowance.spend(object.subarray(inside)) }
    marker.lastIndex = end
  }
}

function endOfGroup(text: string, start: number): number {
  let depth = 1
  for (let at = start; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at
  }
  return text.length
}
