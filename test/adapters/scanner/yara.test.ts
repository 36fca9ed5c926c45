import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Allowance } from '../../../src/adapters/scanner/contents/allowance.ts'
import { openCompoundFile } from '../../../src/adapters/scanner/contents/compound-file.ts'
import { createYaraScanner } from '../../../src/adapters/scanner/yara/scanner.ts'
import { obstruction, type Scanner } from '../../../src/domain/ports/virus-scanner.ts'
import { wordsOf } from '../../../src/domain/sentences/sentences.ts'
import {
  compoundFile,
  mail,
  objectStream,
  office,
  type Packed,
  pdf,
  pdfStream,
  tar,
  vbaProject,
  zip,
} from '../../support/archives.ts'
import { EICAR } from '../../support/clamd.ts'
import { describeWith } from '../../support/describe-with.ts'
import { until } from '../../support/servers.ts'

const MAX_BYTES = 5_242_880
const text = (content: string) => Buffer.from(content)
const hex = (content: string) => Buffer.from(content, 'hex')

let scanner: Scanner
let folder: string
beforeAll(async () => {
  // Longer than anybody would wait for it: on a busy machine, another limit would be met too late.
  scanner = await createYaraScanner({ timeLimitMs: 150_000 })
  folder = mkdtempSync(join(tmpdir(), 'diwan-scanner-'))
})
afterAll(async () => {
  await scanner.close()
  rmSync(folder, { recursive: true, force: true })
})

async function findingIn(bytes: Buffer, name: string): Promise<string | null> {
  const { outcome, finding } = await scanner.scan(bytes, name)
  expect(outcome).toBe(finding === null ? 'clean' : finding.startsWith('Archive.') ? 'failed' : 'infected')
  return finding
}

const program = Buffer.alloc(1024)
program.write('MZ')
program.writeUInt32LE(0x80, 0x3c)
program.write('PE\0\0', 0x80)
const elf = text('\x7fELF\x02\x01\x01')
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const png = Buffer.from(PNG, 'base64')
const shortcut = hex('4c0000000114020000000000c000000000000046')
const sevenZ = hex('377abcaf271c0004')
const rar = hex('526172211a0701003392b5e5')
const nested = (depth: number, core: Packed): Buffer =>
  zip([depth === 0 ? core : { name: `${depth}.zip`, bytes: nested(depth - 1, core) }])
const eicarFile = { name: 'eicar.com', bytes: EICAR }
const harmless = { name: 'a.txt', bytes: text('harmless') }
const many = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `${n}.txt`, bytes: text(`text ${n}`) }))
const officeWith = (kind: 'word' | 'xl', name: string, bytes: Buffer) =>
  office(kind, [{ name: `${kind}/${name}`, bytes }])
const withMacro = (source: string, name = 'vbaProject.bin', kind: 'word' | 'xl' = 'word') =>
  officeWith(kind, name, vbaProject(source))
const action = (content: string) => pdf(`<< /Type /Catalog /OpenAction << ${content} >> >>`)
const packed = (content: Buffer, dictionary = '') =>
  pdf(pdfStream(`${dictionary} /Filter /FlateDecode`, deflateSync(content)))

describe('The built-in rules find', () => {
  const autoOpen = 'Attribute VB_Name = "ThisDocument"\r\nPrivate Sub Document_Open()\r\n  Shell "calc"\r\nEnd Sub\r\n'
  const rtfObject = (name: string) => Buffer.concat([text('\x01\x05\0\0\x02\0\0\0\x08\0\0\0'), text(`${name}\0`)])
  const spread = (bytes: Buffer) => bytes.toString('hex').replace(/../g, '$&\r\n{\\*\\x}')
  const rtf = (data: string) => text(`{\\rtf1{\\object\\objemb{\\*\\objdata ${data}}}}`)
  const oleObject =
    '<Relationship Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/oleObject" Target="https://evil.example/a.html!" TargetMode="External"/>'
  const remote = officeWith('word', '_rels/document.xml.rels', text(oleObject))
  const dde = '<w:instrText xml:space="preserve"> DDEAUTO c:\\\\cmd.exe "/k"</w:instrText>'
  const note = hex('e4525c7b8cd8a74daeb15378d02996d3e716e3bd65261145a4c48d4d0b7a9eac')
  const started = text('\x40\0\0\0\x02\0invoice.pdf.exe\0C:\\invoice.pdf.exe\0')
  const native = compoundFile([{ name: '\x01Ole10Native', bytes: started }])
  const script = '/S /JavaScript /JS (x)'
  const excel4 = hex('09081000000605008500080011223344020141')

  it.each<[string, string, string, Buffer]>([
    ['the test file', 'Eicar-Test-File', 'a.txt', EICAR],
    ['it with other text around it', 'Eicar-Test-File', 'a.md', Buffer.concat([text('See: '), EICAR, text('\n')])],
    ['it in a zip', 'Eicar-Test-File', 'a.zip', zip([{ name: 'readme', bytes: text('x') }, eicarFile])],
    ['it in a stored member', 'Eicar-Test-File', 'a.zip', zip([{ ...eicarFile, stored: true }])],
    ['it in a zip in a zip in a zip', 'Eicar-Test-File', 'a.zip', nested(3, eicarFile)],
    ['it in a zip behind a picture', 'Eicar-Test-File', 'a.png', zip([eicarFile], { prefix: png })],
    ['it in the second part of a gzip', 'Eicar-Test-File', 'a.gz', Buffer.concat([gzipSync('a'), gzipSync(EICAR)])],
    ['it in a tar.gz', 'Eicar-Test-File', 'a.tgz', gzipSync(tar([{ name: 'a', bytes: text('a') }, eicarFile]))],
    ['it in a picture of a document', 'Eicar-Test-File', 'a.docx', officeWith('word', 'media/1.png', EICAR)],
    ['it in what a PDF attaches', 'Eicar-Test-File', 'a.pdf', packed(EICAR, '/Type /EmbeddedFile')],
    ['it in a zip in a mail', 'Eicar-Test-File', 'a.eml', mail('a.zip', zip([eicarFile]))],
    ['a Windows program as PDF', 'Disguised.Program', 'invoice.pdf', program],
    ['one in a zip', 'Disguised.Program', 'a.zip', zip([{ name: 'scans/invoice.JPG', bytes: program }])],
    ['one whose name ends with dots and spaces', 'Disguised.Program', 'invoice.docx . .', program],
    ['one that hides its extension', 'Disguised.Program', 'invoice.pdf.exe', program],
    ['one whose name runs backwards', 'Disguised.Program', 'invoice\u202efdp.exe', program],
    ['a Linux program as picture', 'Disguised.Program', 'holiday.jpeg', elf],
    ['a Mac program as text', 'Disguised.Program', 'notes.txt', hex('cffaedfe07000001')],
    ['a program in a PDF', 'Disguised.Program', 'a.pdf', pdf(pdfStream('/Type /Embedded#46ile', program))],
    ['a shell script as PDF', 'Disguised.Script', 'invoice.pdf', text('#!/bin/sh\nrm -rf ~\n')],
    ['a script behind a byte order mark', 'Disguised.Script', 'a.docx', text('\ufeff#! /usr/bin/env python3\n')],
    ['PHP as picture', 'Disguised.Script', 'a.png', text('<?php system($_GET[0]);')],
    ['a page with a script as PDF', 'Disguised.Script', 'a.pdf', text('<html><script>location="//evil"</script>')],
    ['an old document with a macro that runs', 'Office.AutoMacro', 'a.doc', vbaProject(autoOpen)],
    ['one with its source taken out', 'Office.AutoMacro', 'a.doc', vbaProject('', 'Document_Open Shell')],
    ['a new one with a macro that runs', 'Office.AutoMacro', 'a.docm', withMacro(autoOpen)],
    ['one whose project has another name', 'Office.AutoMacro', 'a.docx', withMacro(autoOpen, 'x.bin')],
    [
      'one in RTF',
      'Office.AutoMacro',
      'a.rtf',
      rtf(Buffer.concat([rtfObject('W'), vbaProject(autoOpen)]).toString('hex')),
    ],
    ['a macro under a name without macros', 'Office.HiddenMacro', 'a.docx', withMacro('Sub Tidy()\r\n')],
    ['macros of a document saved as page', 'Office.HiddenMacro', 'a.doc', mail('editdata.mso', text('ActiveMime\0\0'))],
    ['Excel 4 macros', 'Office.ExcelMacroSheet', 'a.xlsm', officeWith('xl', 'macrosheets/sheet1.xml', text('<x/>'))],
    ['one in an old workbook', 'Office.ExcelMacroSheet', 'a.xls', compoundFile([{ name: 'Workbook', bytes: excel4 }])],
    ['a field that starts a program', 'Office.Dde', 'a.docx', officeWith('word', 'footer1.xml', text(dde))],
    ['a program in a document', 'Office.PackagedProgram', 'a.doc', native],
    ['one in a note', 'Office.PackagedProgram', 'a.one', Buffer.concat([note, Buffer.alloc(20), program])],
    ['an object from outside', 'Office.RemoteObject', 'a.docx', remote],
    ['a PDF that launches', 'Pdf.Launch', 'a.pdf', action('/S /Launch /F (cmd.exe)')],
    ['one that spells it otherwise', 'Pdf.Launch', 'a.pdf', action('/S /L#61unc#68 /F (cmd.exe)')],
    ['one that packs it', 'Pdf.Launch', 'a.pdf', pdf(objectStream('1 0 << /S /Launch /F (cmd.exe) >>'))],
    ['a PDF with a script', 'Pdf.AutoScript', 'a.pdf', pdf('<< /OpenAction 2 0 R >>', `<< ${script} >>`)],
    ['a page with a script', 'Pdf.AutoScript', 'a.pdf', pdf(`<< /Type /Page /AA << /O << ${script} >> >> >>`)],
    ['a package in RTF', 'Rtf.Object', 'a.rtf', rtf(spread(rtfObject('Package')))],
    ['the equation editor in RTF', 'Rtf.Object', 'a.doc', rtf(spread(rtfObject('eQuation.3')))],
    [
      'an object that loads by itself',
      'Rtf.AutoObject',
      'a.rtf',
      text('{\\rtf1{\\object\\objupdate{\\*\\objdata 01}}}'),
    ],
    ['a shortcut', 'Launcher.Shortcut', 'report.lnk', shortcut],
    ['an HTML application', 'Launcher.Hta', 'a.html', text('<html><HTA:APPLICATION id=a><script>run()</script>')],
    ['a script named as one', 'Launcher.Hta', 'a.hta', text('<script language="VBScript">x</script>')],
  ])('%s, also among other files', async (_, finding, name, bytes) => {
    expect(await findingIn(bytes, name)).toBe(finding)
    // Asked about together with them, in the rules' weaker form.
    expect(await findingIn(zip([...many(20), { name, bytes }]), 'a.zip')).toBe(finding)
  })
})

describe('The built-in rules leave clean', () => {
  const form = pdf(
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [3 0 R] >> /OpenAction [2 0 R /XYZ null null null] >>',
    '<< /Type /Pages /Kids [] /Count 0 >>',
    '<< /FT /Tx /T (amount) /AA << /K << /S /JavaScript /JS (AFNumber_Keystroke\\(2\\);) >> >> >>',
    pdfStream('/Filter /FlateDecode', deflateSync(text('BT (Launch of the product) Tj ET'))),
    objectStream('5 0 << /Type /Annot /Subtype /Link /A << /S /URI /URI (https://diwan.example) >> >>'),
    pdfStream('/Type /EmbeddedFile /Filter /FlateDecode', deflateSync(text('<invoice/>'))),
  )
  const macro = 'Attribute VB_Name = "Module1"\r\n\' Not an AutoOpen\r\nSub Tidy()\r\nEnd Sub\r\n'
  const commented = Buffer.concat([zip([harmless]), Buffer.alloc(60_000, 'c')])
  commented.writeUInt16LE(60_000, commented.length - 60_002)
  const sources = tar([
    { name: 'a/', bytes: Buffer.alloc(0), type: '5' },
    { name: 'a/b.py', bytes: text('#!/usr/bin/python\n') },
  ])
  const shown = zip([harmless])

  it.each<[string, string, Buffer]>([
    ['nothing at all', 'empty.txt', Buffer.alloc(0)],
    ['as much as a file may be', 'a.bin', Buffer.alloc(MAX_BYTES)],
    ['Arabic text', 'محضر الاجتماع.txt', text('محضر اجتماع مجلس الإدارة، الرياض\n'.repeat(100))],
    ['text on macros', 'macros.txt', text('AutoOpen and Document_Open run when Word opens a file. Sub AutoOpen() …')],
    ['text on PDF', 'pdf.md', text('A /Launch action in /OpenAction starts a program; /JavaScript a script.')],
    ['text on shortcuts', 'lnk.txt', text('A .lnk or <hta:application> in a mail is a bad sign.')],
    ['text that begins like an archive', 'pk.txt', text('PK is a good footballer. BZ too, and MZ, and 7z.')],
    ['a picture', 'logo.png', png],
    ['a PDF with a form, a link, packed objects and an attachment', 'form.pdf', form],
    ['a document', 'report.docx', office('word')],
    ['a workbook', 'plan.xlsx', officeWith('xl', 'worksheets/sheet1.xml', text('<c><v>1</v></c>'.repeat(50_000)))],
    ['a document with a document in it', 'a.docx', officeWith('word', 'embeddings/b.xlsx', office('xl'))],
    ['a document with a macro that waits', 'tidy.docm', withMacro(macro)],
    ['an old document', 'old.doc', compoundFile([{ name: 'WordDocument', bytes: Buffer.alloc(6000, 'AutoOpen ') }])],
    ['an RTF with a picture', 'a.rtf', text(`{\\rtf1 {\\pict\\pngblip ${png.toString('hex')}}}`)],
    ['a shell script', 'deploy.sh', text('#!/bin/sh\nset -e\n')],
    ['a script sent as text', 'deploy.sh.txt', text('#!/bin/sh\nset -e\n')],
    ['a page', 'index.html', text('<!doctype html><html><script>1</script></html>')],
    ['a report saved as page for Excel', 'report.xls', text('<html><table><tr><td>1</td></tr></table></html>')],
    ['a program that says it is one', 'setup.exe', program],
    ['a saved mail', 'a.eml', mail('logo.png', png)],
    ['an empty zip', 'empty.zip', zip([])],
    ['a zip of sources', 'src.zip', zip([{ name: 'src/', bytes: Buffer.alloc(0), stored: true }, harmless])],
    ['a zip with a long comment', 'a.zip', commented],
    ['two zips in a row', 'a.zip', Buffer.concat([shown, shown])],
    ['a zip behind junk', 'a.bin', Buffer.concat([Buffer.alloc(5_000, 'junk '), shown, Buffer.alloc(90_000, 't')])],
    ['a zip of 1,001 files', 'a.zip', zip(many(1_001))],
    ['a tar.gz', 'src.tar.gz', gzipSync(sources)],
    ['an empty picture that packs well', 'blank.zip', zip([{ name: 'blank.bmp', bytes: Buffer.alloc(10_000_000) }])],
  ])('%s', async (_, name, bytes) => {
    expect(await findingIn(bytes, name)).toBeNull()
  })
})

describe('A file that cannot be looked into whole is never clean, and people are told why:', () => {
  const zeros = (megabytes: number) => Buffer.alloc(megabytes * 1024 * 1024)
  /** Every entry of the directory shows the same bytes. */
  const overlapping = (times: number) => {
    const one = zip([{ name: 'a', bytes: zeros(1) }])
    const start = one.readUInt32LE(one.length - 6)
    const entry = one.subarray(start, one.length - 22)
    const end = Buffer.from(one.subarray(-22))
    end.writeUInt16LE(times, 8)
    end.writeUInt16LE(times, 10)
    end.writeUInt32LE(entry.length * times, 12)
    return Buffer.concat([one.subarray(0, start), ...Array<Buffer>(times).fill(entry), end])
  }
  const empty = Array.from({ length: 20_001 }, (_, i) => ({ name: `${i}`, bytes: Buffer.alloc(0), stored: true }))
  const wrongHeader = tar([harmless, { name: 'b', bytes: text('b') }])
  wrongHeader.write('x', 1024 + 5)
  const circle = compoundFile([{ name: 'WordDocument', bytes: Buffer.alloc(6000, 'a') }])
  circle.writeUInt32LE(6, 512 + 5 * 4)
  const noise = Buffer.from(Array.from({ length: 4_000 }, (_, n) => (n * n * 7) % 251))
  const WHY: Record<string, string> = {
    'Archive.Bomb': 'unpacks to far more than its size, so it could not be looked into',
    'Archive.TooMany': 'holds too much to be looked into',
    'Archive.TooDeep': 'has too many archives packed inside one another to be looked into',
    'Archive.Encrypted': 'is locked with a password, so it could not be looked into',
    'Archive.Unsupported': 'is packed in a way that could not be looked into',
    'Archive.Broken': 'is damaged or cut short, so it could not be looked into',
  }

  it.each<[string, string, string, Buffer]>([
    ['a zip bomb', 'Archive.Bomb', 'a.zip', zip(many(40).map(({ name }) => ({ name, bytes: zeros(10) })))],
    ['a gzip bomb', 'Archive.Bomb', 'a.gz', gzipSync(zeros(100))],
    ['a bomb in bombs', 'Archive.Bomb', 'a.zip', nested(4, { name: 'a', bytes: zeros(64) })],
    ['entries that share their bytes', 'Archive.Bomb', 'a.zip', overlapping(500)],
    ['a bomb in a PDF', 'Archive.Bomb', 'a.pdf', packed(zeros(30), '/Type /ObjStm')],
    ['a zip in a zip and so on', 'Archive.TooDeep', 'a.zip', nested(12, harmless)],
    ['a zip of 20,001 entries', 'Archive.TooMany', 'a.zip', zip(empty)],
    ['a zip with a password', 'Archive.Encrypted', 'a.zip', zip([{ name: 'a', bytes: text('secret'), flags: 1 }])],
    ['a locked document', 'Archive.Encrypted', 'a.docx', compoundFile([{ name: 'EncryptedPackage', bytes: noise }])],
    ['a zip packed in an unknown way', 'Archive.Unsupported', 'a.zip', zip([{ ...harmless, method: 14 }])],
    ['a 7z', 'Archive.Unsupported', 'a.7z', sevenZ],
    ['a rar in a zip', 'Archive.Unsupported', 'a.zip', zip([{ name: 'a.bin', bytes: rar }])],
    ['an xz', 'Archive.Unsupported', 'a.tar.xz', hex('fd377a585a000004')],
    ['a zip that miscounts', 'Archive.Broken', 'a.zip', zip([harmless], { count: 2 })],
    ['wrong bytes', 'Archive.Broken', 'a.zip', zip([{ name: 'a', bytes: noise, stored: true, method: 8 }])],
    ['a document cut short', 'Archive.Broken', 'a.docx', officeWith('word', 'media/1.png', noise).subarray(0, -700)],
    ['a gzip cut short', 'Archive.Broken', 'a.gz', gzipSync(text('some text')).subarray(0, -9)],
    ['a tar cut short', 'Archive.Broken', 'a.tar', tar([{ name: 'a', bytes: Buffer.alloc(5000) }]).subarray(0, 2000)],
    ['a tar with a header that does not add up', 'Archive.Broken', 'a.tar', wrongHeader],
    ['a compound file that goes round in a circle', 'Archive.Broken', 'a.doc', circle],
  ])('%s', async (_, finding, name, bytes) => {
    expect(bytes.length).toBeLessThanOrEqual(MAX_BYTES)
    expect(await findingIn(bytes, name)).toBe(finding)
    expect(obstruction('failed', finding).en).toBe(WHY[finding])
  })

  it('a zip cut short anywhere, and more than 5 MB', async () => {
    const plain = zip([{ name: 'a.txt', bytes: text('a'.repeat(1000)) }, harmless])
    for (let length = 22; length < plain.length; length += 13)
      expect(await findingIn(plain.subarray(0, length), 'a.zip')).toBe('Archive.Broken')
    await expect(scanner.scan(Buffer.alloc(MAX_BYTES + 1), 'a.bin')).rejects.toThrow('at most 5242880 bytes')
  })
})

describe('A virus is found where another program would open it:', () => {
  const entriesOf = (bytes: Buffer) => bytes.subarray(0, bytes.readUInt32LE(bytes.length - 6))
  const withoutSize = (bytes: Buffer) => {
    const streamed = Buffer.from(bytes)
    streamed.writeUInt16LE(8, 6)
    streamed.fill(0, 14, 26)
    return streamed
  }
  /** The entries of one zip before those that the directory of another lists, whose offsets do not count them. */
  const unlisted = (hidden: Buffer) => Buffer.concat([entriesOf(hidden), shown])
  const shown = zip([harmless])
  const tail = Buffer.alloc(90_000, 't')
  const locked = { ...harmless, flags: 1 }
  const unknown = { name: 'a', bytes: sevenZ }
  const quoted = (bytes: Buffer) => {
    const written = [...bytes].map(byte => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
    return text(
      [
        'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b',
        'Content-Type: text/plain\r\n\r\nمرحبا\r\n-- \r\nLayla\r\n--b',
        'Content-Type: application/octet-stream; name="a.zip"\r\nContent-Transfer-Encoding:\r\n quoted-printable\r\n',
        `${written.replace(/.{72}/g, '$&=\r\n')}\r\n--b--\r\n`,
      ].join('\r\n'),
    )
  }
  const attachment = (bytes: Buffer) =>
    pdf('<< /Type /Filespec /F (a.com) /E#46 << /F 2 0 R >> >>', pdfStream('/Filter /FlateDecode', deflateSync(bytes)))

  it.each<[string, string, (inside: Buffer) => Buffer]>([
    ['an entry before the first that is listed', 'a.zip', unlisted],
    ['one without a size', 'a.zip', inside => unlisted(withoutSize(inside))],
    ['two zips in a row, the first', 'a.zip', inside => Buffer.concat([inside, shown])],
    ['two zips in a row, the second', 'a.zip', inside => Buffer.concat([shown, inside])],
    ['a zip behind junk', 'a.bin', inside => Buffer.concat([Buffer.alloc(5_000, 'junk '), inside, tail])],
    ['a zip before other bytes', 'a.zip', inside => Buffer.concat([inside, tail])],
    ['a zip whose directory was cut off', 'a.zip', entriesOf],
    ['a zip that miscounts', 'a.zip', inside => zip([{ name: 'b.zip', bytes: inside, stored: true }], { count: 7 })],
    ['an attachment of a PDF that is not called one', 'a.pdf', attachment],
    ['a quoted-printable attachment', 'a.eml', quoted],
    ['beside a locked file', 'a.zip', inside => zip([locked, { name: 'b', bytes: inside }])],
    ['beside another archive', 'a.tar', inside => tar([unknown, { name: 'b', bytes: inside }])],
  ])('%s', async (_, name, make) => {
    expect(await findingIn(make(zip([eicarFile])), name)).toBe('Eicar-Test-File')
    expect((await scanner.scan(make(shown), name)).outcome).toMatch(/clean|failed/)
  })

  it('a tar of each format of GNU tar', async () => {
    for (const [format, path] of Object.entries({
      gnu: 'long/'.repeat(40),
      pax: 'long/'.repeat(40),
      ustar: 'l/',
      v7: 's/',
    })) {
      mkdirSync(join(folder, format, path), { recursive: true })
      writeFileSync(join(folder, format, path, 'a.gz'), gzipSync(EICAR))
      const made = execFileSync('tar', ['-c', `--format=${format}`, '-C', folder, format])
      expect([format, await findingIn(made, 'a.tar')]).toEqual([format, 'Eicar-Test-File'])
    }
  })

  it('a zip of thousands of tiny files, and in good time', async () => {
    const startedAt = performance.now()
    expect(await findingIn(zip([...many(5_000), eicarFile, ...many(4_000)]), 'a.zip')).toBe('Eicar-Test-File')
    // One by one they would take five minutes.
    expect(performance.now() - startedAt).toBeLessThan(120_000)
  })

  it('a macro that is packed as in the example of the specification (MS-OVBA 3.2.2)', () => {
    const example =
      '012fb000236161616263646582660070616768696a013808616b6c00306d6e6f700671027004107273747576107778797a003c'
    const bytes = compoundFile([{ name: 'Module1', bytes: Buffer.concat([Buffer.alloc(70, 0xaa), hex(example)]) }])
    const members = [...openCompoundFile({ name: 'a.bin', part: 'file', bytes }, new Allowance(bytes.length))]
    const source = members.find(({ part }) => part === 'macro')?.bytes.toString()
    expect(source).toBe('#aaabcdefaaaaghijaaaaaklaaamnopqaaaaaaaaaaaarstuvwxyzaaa')
  })
})

describeWith('qpdf', 'A PDF with a password', ({ qpdf }) => {
  const make = (name: string, attached: Buffer, user: string, way: string[]) => {
    const [plain, file, made] = ['plain.pdf', 'attached', name].map(each => join(folder, each)) as [
      string,
      string,
      string,
    ]
    writeFileSync(plain, pdf('<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'))
    writeFileSync(file, attached)
    const encrypt = ['--encrypt', user, 'owner', ...way, '--', '--add-attachment', file, '--']
    try {
      execFileSync(qpdf, ['--allow-weak-crypto', '--object-streams=generate', ...encrypt, plain, made], {
        stdio: 'pipe',
      })
    } catch (error) {
      // 3: it has mended our hand-made file.
      if ((error as { status: number }).status !== 3) throw error
    }
    return readFileSync(made)
  }

  it.each([['40'], ['128', '--use-aes=y'], ['256']])(
    'of its owner only is looked into, as all can open it: %s',
    async (...way) => {
      expect(await findingIn(make('bad.pdf', zip([eicarFile]), '', way), 'a.pdf')).toBe('Eicar-Test-File')
      expect(await findingIn(make('good.pdf', text('harmless'), '', way), 'a.pdf')).toBeNull()
      expect(await findingIn(make('locked.pdf', text('harmless'), 'user', way), 'a.pdf')).toBe('Archive.Encrypted')
    },
  )
})

describe('Hostile bytes', () => {
  const magic = ['PK\x03\x04', 'PK\x05\x06', '\x1f\x8b\x08', '%PDF-1.4 /ObjStm stream\n', '{\\rtf1\\objdata ', 'MZ', '']
  const samples = [
    zip([harmless, eicarFile]),
    gzipSync(tar([eicarFile])),
    vbaProject('Sub Tidy()\r\n'),
    pdf(objectStream('1 0 << >>')),
    withMacro('Sub Tidy()\r\n'),
  ]
  const head = fc.constantFrom(...magic).map(start => Buffer.from(start, 'latin1'))
  const anything = fc.tuple(head, fc.uint8Array({ maxLength: 3000 })).map(parts => Buffer.concat(parts))
  const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }))
  const changed = fc
    .tuple(fc.constantFrom(...samples), fc.array(change, { minLength: 1, maxLength: 5 }))
    .map(([sample, changes]) => {
      const bytes = Buffer.from(sample)
      for (const [at, value] of changes) bytes[at % bytes.length] = value
      return bytes
    })

  it('get a verdict, whatever they and their names are, also as archives with a few bytes changed', async () => {
    const hostile = fc.asyncProperty(
      fc.oneof(anything, changed),
      fc.string({ unit: 'binary' }),
      async (bytes, name) => {
        expect(['clean', 'infected', 'failed']).toContain((await scanner.scan(bytes, name)).outcome)
      },
    )
    await fc.assert(hostile, { numRuns: 120 })
  })
})

describe("The operator's rules", () => {
  const rulesIn = (files: Record<string, string>) => {
    const rulesFolder = mkdtempSync(join(folder, 'rules-'))
    for (const [name, rules] of Object.entries(files)) writeFileSync(join(rulesFolder, name), rules)
    return rulesFolder
  }

  it('are used besides ours, inside archives too, and may ask for the name of the file', async () => {
    const own = await createYaraScanner({
      rulesFolder: rulesIn({
        'a.yar': 'rule secret_project { strings: $a = "Falcon" nocase condition: $a }',
        'b.yara':
          'rule secret_project { meta: finding = "Acme.Export" condition: extension == "qif" and filename startswith "acme" }',
        'notes.txt': 'not a rule',
      }),
    })
    const engine = expect.stringMatching(/^YARA-X \d+\.\d+\.\d+, built-in rules and 2 of the operator's files$/)
    const falcon = zip([{ name: 'a', bytes: text('falcon') }])
    expect(await own.scan(falcon, 'a.zip')).toEqual({ outcome: 'infected', engine, finding: 'secret_project' })
    expect(await own.scan(text('x'), 'acme-2024.QIF')).toMatchObject({ finding: 'Acme.Export' })
    expect(await own.scan(EICAR, 'a.txt')).toMatchObject({ finding: 'Eicar-Test-File' })
    expect(await own.scan(text('x'), 'a.txt')).toEqual({ outcome: 'clean', engine, finding: null })
    await own.close()
    await expect(own.scan(text('x'), 'a.txt')).rejects.toThrow('closed')
  })

  it('that do not compile, or are not there, stop the start with one line', async () => {
    for (const [rules, problem] of [
      ['rule broken {\n  condition: $a\n}', 'unknown pattern `$a` at line 2, column 14'],
      ['rule broken {', 'syntax error at line 1, column 14'],
      ['import "cuckoos"', 'unknown module `cuckoos` at line 1, column 1'],
    ] as const) {
      const rulesFolder = rulesIn({ 'mine.yar': rules })
      const { message } = await createYaraScanner({ rulesFolder }).then(
        () => new Error('It starts'),
        error => error,
      )
      expect(message).toContain(`${join(rulesFolder, 'mine.yar')}: ${problem}`)
      expect(message).not.toContain('\n')
    }
    await expect(createYaraScanner({ rulesFolder: join(folder, 'nowhere') })).rejects.toThrow('nowhere')
  })

  it('that take too long give no verdict, and the next scan goes on', { tags: 'long' }, async () => {
    const rulesFolder = rulesIn({ 'slow.yar': 'rule slow { strings: $a = /a.*b.*c.*d/s condition: $a }' })
    const limited = await createYaraScanner({ rulesFolder, timeLimitMs: 1_500 })
    const late = limited.scan(Buffer.alloc(1_000_000, 'a'), 'a.txt')
    const next = limited.scan(EICAR, 'a.txt')
    await expect(late).rejects.toThrow('gave no answer in 1500 ms')
    expect(await next).toMatchObject({ finding: 'Eicar-Test-File' })
    const interrupted = limited.scan(Buffer.alloc(1_000_000, 'a'), 'a.txt')
    const failure = expect(interrupted).rejects.toThrow()
    await limited.close()
    await failure
  })
})

describe('The thread of the scanner', () => {
  it('is replaced before it grows, and no scan fails', { tags: 'long' }, async () => {
    const threads = new Set<number>()
    const own = await createYaraScanner({ renewAfterScans: 10, onThread: id => threads.add(id) })
    for (let n = 0; n < 25; n++)
      expect((await own.scan(n % 10 === 0 ? EICAR : text(`text ${n}`), 'a')).outcome).toBe(
        n % 10 ? 'clean' : 'infected',
      )
    expect(threads.size).toBe(3)
    await own.close()
  })

  it('rests when nobody asks, and another answers the next who does', { tags: 'long' }, async () => {
    // Longer than a busy machine takes from a scan to the next question; whoever asks wakes it for as long again.
    const restAfterMs = 1_000
    const threads = new Set<number>()
    const own = await createYaraScanner({ restAfterMs, onThread: id => threads.add(id) })
    const isAtRest = async () => wordsOf((await own.check()).message).en.includes('at rest')
    for (const content of ['one', 'two']) {
      expect((await own.scan(text(content), 'a.txt')).outcome).toBe('clean')
      expect(await isAtRest()).toBe(false)
      await until(async () => {
        await new Promise(resolve => setTimeout(resolve, restAfterMs + 200))
        return isAtRest()
      })
    }
    expect(threads.size).toBe(2)
    await own.close()
  })
})
