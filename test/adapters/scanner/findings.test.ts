import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createYaraScanner } from '../../../src/adapters/scanner/yara/scanner.ts'
import { obstruction, type Scanner } from '../../../src/domain/ports/virus-scanner.ts'
import { compoundFile, office, pdf, pdfStream, tar, zip } from '../../support/archives.ts'
import { EICAR } from '../../support/clamd.ts'
import { findParts } from '../../support/parts.ts'

const { sevenZip, qpdf } = findParts()
const text = (content: string) => Buffer.from(content)
const eicarFile = { name: 'eicar.com', bytes: EICAR }
const harmless = { name: 'a.txt', bytes: text('harmless') }
const JUNK = Buffer.alloc(5_000, 'junk ')

let scanner: Scanner
let folder: string
beforeAll(async () => {
  // Longer than anybody would wait for it: on a busy machine, another limit would be met too late.
  scanner = await createYaraScanner({ timeLimitMs: 150_000 })
  folder = mkdtempSync(join(tmpdir(), 'diwan-findings-'))
})
afterAll(async () => {
  await scanner.close()
  rmSync(folder, { recursive: true, force: true })
})

const many = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `${n}.txt`, bytes: text(`text ${n}`) }))
const entriesOf = (bytes: Buffer) => bytes.subarray(0, bytes.readUInt32LE(bytes.length - 6))
const withoutSize = (bytes: Buffer) => {
  const streamed = Buffer.from(bytes)
  streamed.writeUInt16LE(8, 6)
  streamed.fill(0, 14, 26)
  return streamed
}
/** The entries of one zip before those that the directory of another lists, whose offsets do not count them. */
const unlisted = (hidden: Buffer, shown: Buffer) => Buffer.concat([entriesOf(hidden), shown])

function quoted(bytes: Buffer): Buffer {
  const written = [...bytes].map(byte => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
  const lines = [
    'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b',
    'Content-Type: text/plain\r\n\r\nمرحبا\r\n-- \r\nLayla\r\n--b',
    'Content-Type: application/octet-stream; name="a.zip"',
    'Content-Transfer-Encoding:\r\n quoted-printable\r\n',
    `${written.replace(/.{72}/g, '$&=\r\n')}\r\n--b--\r\n`,
  ]
  return text(lines.join('\r\n'))
}

const attachment = (bytes: Buffer) =>
  pdf(
    '<< /Type /Catalog /Names << /EmbeddedFiles << /Names [(a) 2 0 R] >> >> >>',
    '<< /Type /Filespec /F (a.com) /E#46 << /F 3 0 R >> >>',
    pdfStream('/Filter /FlateDecode', deflateSync(bytes)),
  )
/** Rows of ten bytes, each written as its difference to the one above. */
const predicted = (bytes: Buffer) => {
  const rows = Math.ceil(bytes.length / 10)
  const plain = Buffer.concat([bytes, Buffer.alloc(rows * 10 - bytes.length)])
  const written = Array.from({ length: rows }, (_, y) =>
    Buffer.from([2, ...plain.subarray(y * 10, y * 10 + 10).map((byte, x) => byte - (plain[(y - 1) * 10 + x] ?? 0))]),
  )
  return pdf(
    '<< /EF << /F 2 0 R >> >>',
    pdfStream('/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 10 >>', deflateSync(Buffer.concat(written))),
  )
}

describe('What another program opens is looked into:', () => {
  const shown = zip([harmless])
  const hidden = zip([eicarFile])
  it.each<[string, string, (inside: Buffer) => Buffer]>([
    ['an entry before the first that is listed', 'a.zip', inside => unlisted(inside, shown)],
    ['one without a size', 'a.zip', inside => unlisted(withoutSize(inside), shown)],
    ['two zips in a row, the first', 'a.zip', inside => Buffer.concat([inside, shown])],
    ['two zips in a row, the second', 'a.zip', inside => Buffer.concat([shown, inside])],
    ['a zip behind junk with a long tail', 'a.bin', inside => Buffer.concat([JUNK, inside, Buffer.alloc(90_000, 't')])],
    ['a zip before other bytes', 'a.zip', inside => Buffer.concat([inside, Buffer.alloc(90_000, 't')])],
    ['a zip whose directory was cut off', 'a.zip', inside => entriesOf(inside)],
    ['a zip that miscounts', 'a.zip', inside => zip([{ name: 'b.zip', bytes: inside, stored: true }], { count: 7 })],
    ['what a PDF attaches without saying so', 'a.pdf', inside => attachment(inside)],
    ['the same in rows of differences', 'a.pdf', inside => predicted(inside)],
    ['a quoted-printable attachment', 'a.eml', inside => quoted(inside)],
    [
      'a file beside one that is locked',
      'a.zip',
      inside =>
        zip([
          { ...harmless, flags: 1 },
          { name: 'b', bytes: inside },
        ]),
    ],
    [
      'a file beside an archive of another kind',
      'a.tar',
      inside =>
        tar([
          { name: 'a.7z', bytes: Buffer.from('377abcaf271c0004', 'hex') },
          { name: 'b', bytes: inside },
        ]),
    ],
  ])('%s', async (_, name, make) => {
    expect(await scanner.scan(make(hidden), name)).toMatchObject({ outcome: 'infected', finding: 'Eicar-Test-File' })
    const { outcome } = await scanner.scan(make(zip([{ name: 'b.txt', bytes: text('b') }])), name)
    expect(outcome).toMatch(/clean|failed/)
  })

  it.each<[string, Buffer]>([
    ['two zips in a row', Buffer.concat([shown, shown])],
    ['a zip behind junk', Buffer.concat([JUNK, shown, Buffer.alloc(90_000, 't')])],
    [
      'a zip of zips',
      zip([
        { name: 'b.zip', bytes: shown, stored: true },
        { name: 'c.zip', bytes: shown },
      ]),
    ],
    ['a zip of 1,001 files', zip(many(1_001))],
    [
      'a PDF with an attachment and a picture',
      pdf(
        '<< /EF << /F 2 0 R >> >>',
        pdfStream('/Filter /FlateDecode', deflateSync(text('<a/>'))),
        pdfStream('/Subtype /Image /Filter /DCTDecode', Buffer.from('ffd8ffd9', 'hex')),
      ),
    ],
    ['a quoted-printable attachment', quoted(text('harmless'))],
    // Found in pieces, as such files store it.
    ['a document with a document in it, in pieces', compoundFile([{ name: 'Package', bytes: office('word') }])],
  ])('%s without harm is clean', async (_, bytes) => {
    expect(await scanner.scan(bytes, 'a.bin')).toMatchObject({ outcome: 'clean', finding: null })
  })
})

describe('What cannot be looked into is not infected, and people are told why:', () => {
  const document = office('word', [
    { name: 'word/media/1.png', bytes: Buffer.from(Array.from({ length: 4_000 }, (_, n) => (n * n * 7) % 251)) },
  ])
  it.each<[string, string, Buffer]>([
    ['is locked with a password, so it could not be looked into', 'a.zip', zip([{ ...harmless, flags: 1 }])],
    ['is damaged or cut short, so it could not be looked into', 'a.docx', document.subarray(0, -700)],
    ['is packed in a way that could not be looked into', 'a.7z', Buffer.from('377abcaf271c0004', 'hex')],
    ['is packed in a way that could not be looked into', 'a.tar.xz', Buffer.from('fd377a585a000004', 'hex')],
    ['unpacks to far more than its size, so it could not be looked into', 'a.gz', gzipSync(Buffer.alloc(100_000_000))],
    ['holds too much to be looked into', 'a.zip', zip(many(20_001))],
  ])('it %s (%s)', async (message, name, bytes) => {
    const verdict = await scanner.scan(bytes, name)
    expect([verdict.outcome, obstruction('failed', verdict.finding).en]).toEqual(['failed', message])
  })
})

it('A tar.gz of 1.1 kB whose path is a million dots is judged at once', async () => {
  await scanner.scan(text('warm'), 'a.txt')
  const record = (path: string) => text(`${`1000000 path=`.length + path.length} path=${path}\n`)
  const bytes = gzipSync(tar([{ name: 'p', bytes: record('.'.repeat(1_000_000)), type: 'x' }, harmless]))
  expect(bytes.length).toBeLessThan(1_300)
  const startedAt = performance.now()
  expect(await scanner.scan(bytes, 'a.tar.gz')).toMatchObject({ outcome: 'clean' })
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})

it('A zip of 10,000 tiny files takes seconds, and what is in one of them is found', async () => {
  const startedAt = performance.now()
  expect(await scanner.scan(zip(many(10_000)), 'a.zip')).toMatchObject({ outcome: 'clean' })
  expect(await scanner.scan(zip([...many(5_000), eicarFile, ...many(4_000)]), 'a.zip')).toMatchObject({
    outcome: 'infected',
    finding: 'Eicar-Test-File',
  })
  // One by one they would take five minutes.
  expect(performance.now() - startedAt).toBeLessThan(120_000)
})

describe.skipIf(!sevenZip)('7-Zip makes', () => {
  it.each([
    ['a locked zip', 'a.zip', ['-psecret'], 'Archive.Encrypted'],
    ['a 7z', 'a.7z', [], 'Archive.Unsupported'],
    ['a zip packed in a newer way', 'a.zip', ['-mm=LZMA'], 'Archive.Unsupported'],
  ])('%s that has failed', async (what, name, options, finding) => {
    const here = join(folder, what)
    mkdirSync(here)
    writeFileSync(join(here, 'a.txt'), 'harmless '.repeat(100))
    execFileSync(sevenZip as string, ['a', ...options, name, 'a.txt'], { cwd: here })
    expect(await scanner.scan(readFileSync(join(here, name)), name)).toMatchObject({ outcome: 'failed', finding })
  })
})

describe.skipIf(!qpdf)("A PDF with an owner's password only is looked into, as everybody can open it:", () => {
  const ways = [
    ['40'],
    ['128', '--use-aes=n'],
    ['128', '--use-aes=y'],
    ['128', '--cleartext-metadata', '--use-aes=y'],
    ['256'],
  ]
  const make = (name: string, attached: Buffer, user: string, way: string[]) => {
    const [plain, file, made] = ['plain.pdf', 'attached', name].map(each => join(folder, each)) as [
      string,
      string,
      string,
    ]
    writeFileSync(plain, pdf('<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'))
    writeFileSync(file, attached)
    const weak = way[0] === '256' ? [] : ['--allow-weak-crypto']
    const options = [
      ...weak,
      '--object-streams=generate',
      '--encrypt',
      user,
      'owner',
      ...way,
      '--',
      '--add-attachment',
      file,
      '--',
      plain,
      made,
    ]
    try {
      execFileSync(qpdf as string, options, { stdio: 'pipe' })
    } catch (error) {
      // 3: it has mended our hand-made file.
      if ((error as { status: number }).status !== 3) throw error
    }
    return readFileSync(made)
  }

  it.each(ways)('%s %s', async (...way) => {
    expect(await scanner.scan(make('bad.pdf', zip([eicarFile]), '', way), 'a.pdf')).toMatchObject({
      finding: 'Eicar-Test-File',
    })
    expect(await scanner.scan(make('good.pdf', text('harmless'), '', way), 'a.pdf')).toMatchObject({ outcome: 'clean' })
    expect(await scanner.scan(make('locked.pdf', text('harmless'), 'user', way), 'a.pdf')).toMatchObject({
      outcome: 'failed',
      finding: 'Archive.Encrypted',
    })
  })
})
