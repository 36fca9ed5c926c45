import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { Allowance } from '../../src/adapters/scanner/contents/allowance.ts'
import { unfold } from '../../src/adapters/scanner/contents/unfold.ts'
import { compoundFile, zip } from '../support/archives.ts'

const MIB = 1024 * 1024
const repeat = (unit: string | Buffer, sizeBytes = 4 * MIB) => Buffer.alloc(sizeBytes, unit as string)
const text = (content: string) => Buffer.from(content, 'latin1')
const local = (method: number, flags: number, data: Buffer) => {
  const header = Buffer.from('504b03041400000000000000000000000000000000000000000001000000', 'hex')
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(method, 8)
  return Buffer.concat([header, text('a'), data])
}
const end = Buffer.from('504b0506000000000000000000000000000000000000', 'hex')

/** Each stream of it leads into one long chain. */
const manyStreams = () => {
  const bytes = compoundFile([{ name: 'a', bytes: Buffer.alloc(40_000, 'a') }])
  return Buffer.concat([bytes, Buffer.alloc(100_000)])
}

it.each<[string, Buffer]>([
  ['ends of zips', repeat(end)],
  ['zips of one file', repeat(zip([{ name: 'a', bytes: text('a') }]))],
  ['entries that do not unpack', repeat(local(8, 8, Buffer.alloc(9, 0xff)))],
  ['object streams without end', Buffer.concat([text('%PDF-1.7\n'), repeat('/ObjStm>>stream\n')])],
  [
    'object streams of nothing',
    Buffer.concat([
      text('%PDF-1.7\n'),
      repeat(Buffer.concat([text('/First/Filter/FlateDecode>>stream\n'), deflateSync('')])),
    ]),
  ],
  ['attached streams', Buffer.concat([text('%PDF-1.7\n/EF '), repeat('<<>>stream\nendstream\n')])],
  ['locked streams', Buffer.concat([text('%PDF-1.7\n/Encrypt 1 0 R '), repeat('/ObjStm>>stream\nendstream\n')])],
  [
    'parts of mails',
    Buffer.concat([text('MIME-Version: 1.0\n\n'), repeat('\nContent-Transfer-Encoding: base64\n\nAA==\n--\n')]),
  ],
  [
    'quoted parts',
    Buffer.concat([text('MIME-Version: 1.0\n\n'), repeat('\nContent-Transfer-Encoding: quoted-printable\n\n=41\n')]),
  ],
  ['streams in a circle', manyStreams()],
  ['blanks', repeat(' ')],
])('A file full of %s is unfolded in a time that grows with its size', (_, bytes) => {
  const startedAt = performance.now()
  const allowance = new Allowance(bytes.length)
  const obstacles: string[] = []
  let members = 0
  for (const _member of unfold({ name: 'a', part: 'file', bytes }, allowance, obstacle => obstacles.push(obstacle)))
    members++
  expect(members).toBeGreaterThan(0)
  // A second when nothing else runs; what grows with the square takes minutes.
  expect(performance.now() - startedAt).toBeLessThan(30_000)
})
