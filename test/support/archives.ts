import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

const text = (content: string) => Buffer.from(content)

export interface Packed {
  name: string
  bytes: Buffer
  stored?: boolean
  /** Values that the headers claim instead of the true ones. */
  method?: number
  flags?: number
}

/** A zip that follows the specification of the format, except where the options make it wrong. */
export function zip(entries: Packed[], { prefix = Buffer.alloc(0), count = entries.length } = {}): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes, stored, method = stored ? 0 : 8, flags = 0x800 } of entries) {
    const packed = stored ? bytes : deflateRawSync(bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const placed = Buffer.alloc(14)
    placed.writeUInt32LE(offset, 10)
    const local = Buffer.concat([text('PK\x03\x04'), common, text(name), packed])
    directory.push(Buffer.concat([text('PK\x01\x02'), Buffer.from([20, 0]), common, placed, text(name)]))
    files.push(local)
    offset += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(count & 0xffff, 4)
  end.writeUInt16LE(count & 0xffff, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([prefix, ...files, list, text('PK\x05\x06'), end])
}

export function tar(entries: { name: string; bytes: Buffer; type?: string; size?: string }[]): Buffer {
  const blocks = entries.flatMap(({ name, bytes, type = '0', size = bytes.length.toString(8).padStart(11, '0') }) => {
    const header = Buffer.alloc(512)
    header.write(name.slice(0, 100), 0)
    header.write('0000644\0', 100)
    header.write(size, 124, 'latin1')
    header.write(`        ${type}`, 148)
    header.write('ustar\x0000', 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

/** Compresses VBA source (MS-OVBA 2.4.1) without copy tokens: a flag byte of zero, then eight letters. */
function packMacro(source: string): Buffer {
  const chunks = source.match(/.{1,3000}/gs)?.map(part => {
    const groups = Buffer.concat((part.match(/.{1,8}/gs) ?? []).map(group => text(`\0${group}`)))
    const header = Buffer.alloc(2)
    header.writeUInt16LE(0xb000 | (groups.length - 1))
    return Buffer.concat([header, groups])
  })
  return Buffer.concat([Buffer.from([1]), ...(chunks ?? [])])
}

/** A compound file whose sectors are in reverse order, so that reading it sequentially gives nonsense. */
export function compoundFile(streams: { name: string; bytes: Buffer }[]): Buffer {
  const SHORT = 4096
  const split = (bytes: Buffer, size: number) =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => {
      const piece = Buffer.alloc(size)
      bytes.copy(piece, 0, i * size)
      return piece
    })
  const sectors: Buffer[] = [Buffer.alloc(512, 0xff)]
  const table = sectors[0] as Buffer
  table.writeUInt32LE(0xfffffffd, 0)
  const store = (bytes: Buffer): number => {
    let next = 0xfffffffe
    for (const piece of split(bytes, 512).reverse()) {
      table.writeUInt32LE(next, sectors.length * 4)
      next = sectors.push(piece) - 1
    }
    return next
  }
  const shorts: Buffer[] = []
  const shortTable = Buffer.alloc(512, 0xff)
  const storeShort = (bytes: Buffer): number => {
    let next = 0xfffffffe
    for (const piece of split(bytes, 64).reverse()) {
      shortTable.writeUInt32LE(next, shorts.length * 4)
      next = shorts.push(piece) - 1
    }
    return next
  }
  const entry = (name: string, type: number, start: number, size: number) => {
    const bytes = Buffer.alloc(128)
    bytes.write(name, 0, 'utf16le')
    bytes.writeUInt16LE((name.length + 1) * 2, 64)
    bytes.writeUInt8(type, 66)
    bytes.fill(0xff, 68, 80)
    bytes.writeUInt32LE(start, 116)
    bytes.writeUInt32LE(size, 120)
    return bytes
  }
  const listed = streams.map(({ name, bytes }) =>
    entry(name, 2, bytes.length < SHORT ? storeShort(bytes) : store(bytes), bytes.length),
  )
  const shortsStart = store(Buffer.concat(shorts))
  const root = entry('Root Entry', 5, shortsStart, shorts.length * 64)
  root.writeUInt32LE(1, 76)
  listed.forEach((each, i) => {
    if (i + 1 < listed.length) each.writeUInt32LE(i + 2, 72)
  })
  const header = Buffer.alloc(512, 0xff)
  header.fill(0, 0, 76)
  header.write('d0cf11e0a1b11ae1', 0, 'hex')
  for (const [at, value] of Object.entries({ 24: 0x3e, 26: 3, 28: 0xfffe, 30: 9, 32: 6 }))
    header.writeUInt16LE(value, Number(at))
  const directoryStart = store(Buffer.concat([root, ...listed]))
  const shortTableStart = store(shortTable)
  const words = { 44: 1, 48: directoryStart, 56: SHORT, 60: shortTableStart, 64: 1, 68: 0xfffffffe, 72: 0, 76: 0 }
  for (const [at, value] of Object.entries(words)) header.writeUInt32LE(value, Number(at))
  return Buffer.concat([header, ...sectors])
}

export const vbaProject = (source: string, compiledNames = '') =>
  compoundFile([
    { name: '_VBA_PROJECT', bytes: text(`\xcc\x61 ${compiledNames}`) },
    { name: 'dir', bytes: packMacro('project') },
    { name: 'ThisDocument', bytes: Buffer.concat([Buffer.alloc(5000, 0xaa), packMacro(source)]) },
  ])

export const office = (kind: 'word' | 'xl', more: Packed[] = []) =>
  zip([
    { name: '[Content_Types].xml', bytes: text('<?xml version="1.0"?><Types/>') },
    { name: '_rels/.rels', bytes: text('<?xml version="1.0"?><Relationships/>') },
    {
      name: `${kind}/document.xml`,
      bytes: text('<w:document><w:t>A text on AutoOpen and Document_Open</w:t></w:document>'),
    },
    ...more,
  ])

export const pdf = (...objects: (string | Buffer)[]) =>
  Buffer.concat([
    text('%PDF-1.7\n%\xe2\xe3\n'),
    ...objects.flatMap((object, i) => [text(`${i + 1} 0 obj\n`), Buffer.from(object), text('\nendobj\n')]),
    text('trailer\n<< /Root 1 0 R >>\n%%EOF\n'),
  ])

export const pdfStream = (dictionary: string, bytes: Buffer) =>
  Buffer.concat([text(`<< ${dictionary} /Length ${bytes.length} >>\nstream\r\n`), bytes, text('\nendstream')])

export const objectStream = (content: string) =>
  pdfStream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', deflateSync(text(content)))

export const mail = (name: string, attached: Buffer) =>
  text(
    [
      'From: a@diwan.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b',
      'Content-Type: text/plain\r\n\r\nمرحبا\r\n--b',
      `Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64`,
      `Content-Disposition: attachment; filename="${name}"\r\n`,
      attached.toString('base64').replace(/.{76}/g, '$&\r\n'),
      '--b--\r\n',
    ].join('\r\n'),
  )
