import { createDecipheriv, createHash } from 'node:crypto'
import { hashOfRevision6, rc4 } from './pdf-ciphers.ts'
import { decodeNames } from './pdf-filters.ts'
import { Unreadable } from './unreadable.ts'

/** Takes the text before a stream, which names its object, and the encrypted bytes. */
export type PdfLock = (before: string, locked: Buffer) => Buffer

interface LockSettings {
  version: number
  revision: number
  keyBytes: number
  owner: Buffer
  user: Buffer
  userKey: Buffer
  permissions: number
  id: Buffer
  isMetadataLocked: boolean
  cipher: 'rc4' | 'aes' | 'none'
}

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

/**
 * A PDF with only an owner's password opens for everybody: its key follows from the empty password (ISO 32000-2, 7.6). One that
 * asks for a password throws `Encrypted`.
 */
export function openPdfLock(text: string): PdfLock {
  const settings = readSettings(text)
  const key = settings.version === 5 ? longKey(settings) : shortKey(settings)
  const { cipher, version } = settings
  return (before, locked) => {
    if (cipher === 'none') return locked
    const objectKey = version === 5 ? key : keyOfObject(key, before, cipher)
    return cipher === 'rc4' ? rc4(objectKey, locked) : decryptAes(objectKey, locked)
  }
}

function readSettings(text: string): LockSettings {
  const dictionary = findDictionary(text)
  const number = (key: string, otherwise: number) =>
    Number(new RegExp(`/${key}\\s{0,8}(-?\\d{1,12})`).exec(dictionary)?.[1] ?? otherwise)
  const version = number('V', 0)
  if (!/\/Standard(?![A-Za-z])/.test(dictionary) || ![1, 2, 4, 5].includes(version)) throw new Unreadable('Encrypted')
  const [, method = 'V2'] = version < 4 ? [] : (/\/CFM\s{0,8}\/(\w{1,10})/.exec(dictionary) ?? [])
  const isIdentity = /\/StmF\s{0,8}\/Identity/.test(dictionary) || (version >= 4 && !/\/StmF/.test(dictionary))
  return {
    version,
    revision: number('R', 0),
    keyBytes: version === 1 ? 5 : version === 4 ? 16 : Math.min(16, Math.max(5, number('Length', 40) >> 3)),
    owner: readString(dictionary, 'O'),
    user: readString(dictionary, 'U'),
    userKey: version === 5 ? readString(dictionary, 'UE') : Buffer.alloc(0),
    permissions: number('P', 0) | 0,
    id: readId(text),
    isMetadataLocked: !/\/EncryptMetadata\s{0,8}false/.test(dictionary),
    cipher: isIdentity || method === 'None' ? 'none' : method === 'V2' ? 'rc4' : 'aes',
  }
}

/** The last one: a PDF that was changed still contains the earlier ones. */
function findDictionary(text: string): string {
  const at = text.lastIndexOf('/Encrypt')
  const [, number, generation] =
    /^\/Encrypt\s{0,8}(\d{1,10})\s{1,8}(\d{1,5})\s{1,8}R/.exec(text.slice(at, at + 60)) ?? []
  const start = number === undefined ? at : text.lastIndexOf(`\n${number} ${generation} obj`)
  if (start < 0) throw new Unreadable('Encrypted')
  return decodeNames(text.slice(start, start + 4_000).split('endobj', 1)[0] ?? '')
}

/** In brackets with escapes, or in hexadecimal. */
function readString(text: string, key: string): Buffer {
  const place = new RegExp(`/${key}\\s{0,8}([(<])`).exec(text)
  if (!place) throw new Unreadable('Encrypted')
  const start = place.index + place[0].length
  if (place[1] === '<') return Buffer.from(text.slice(start, text.indexOf('>', start)).replace(/\s/g, ''), 'hex')
  const bytes: number[] = []
  let depth = 1
  for (let at = start; at < text.length; at++) {
    const letter = text[at] as string
    if (letter === '\\') {
      const [all, octal] = /^\\(?:([0-7]{1,3})|\r\n|.)/s.exec(text.slice(at, at + 4)) ?? ['\\']
      if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff)
      else if (!/^\\[\r\n]/.test(all)) bytes.push(escaped(all[1] ?? ''))
      at += all.length - 1
      continue
    }
    if (letter === '(') depth++
    if (letter === ')' && --depth === 0) return Buffer.from(bytes)
    bytes.push(letter.charCodeAt(0))
  }
  throw new Unreadable('Encrypted')
}

const escaped = (letter: string) =>
  ({ n: 10, r: 13, t: 9, b: 8, f: 12 })[letter] ?? (letter === '' ? 0x5c : letter.charCodeAt(0))

function readId(text: string): Buffer {
  const at = text.search(/\/ID\s{0,8}\[/)
  return at < 0 ? Buffer.alloc(0) : readString(text.slice(at, at + 1_000).replace(/\/ID\s{0,8}\[\s{0,8}/, '/ID '), 'ID')
}

const md5 = (...parts: Uint8Array[]) => createHash('md5').update(Buffer.concat(parts)).digest()

function shortKey({ revision, keyBytes, owner, user, permissions, id, isMetadataLocked }: LockSettings): Buffer {
  const rights = Buffer.alloc(4)
  rights.writeInt32LE(permissions)
  const metadata = revision >= 4 && !isMetadataLocked ? Buffer.alloc(4, 0xff) : Buffer.alloc(0)
  let key = md5(PADDING, owner.subarray(0, 32), rights, id, metadata).subarray(0, keyBytes)
  if (revision >= 3) for (let round = 0; round < 50; round++) key = md5(key).subarray(0, keyBytes)
  const expected = revision >= 3 ? proofOf(key, id) : rc4(key, PADDING)
  if (!expected.equals(user.subarray(0, expected.length))) throw new Unreadable('Encrypted')
  return key
}

function proofOf(key: Buffer, id: Buffer): Buffer {
  let proof: Buffer = md5(PADDING, id)
  for (let round = 0; round < 20; round++) proof = rc4(Buffer.from(key.map(byte => byte ^ round)), proof)
  return proof
}

function longKey({ revision, user, userKey }: LockSettings): Buffer {
  const hash = (salt: Buffer) =>
    revision === 5 ? createHash('sha256').update(salt).digest() : hashOfRevision6(Buffer.alloc(0), salt)
  if (user.length < 48 || userKey.length < 32) throw new Unreadable('Encrypted')
  if (!hash(user.subarray(32, 40)).equals(user.subarray(0, 32))) throw new Unreadable('Encrypted')
  const decipher = createDecipheriv('aes-256-cbc', hash(user.subarray(40, 48)), Buffer.alloc(16)).setAutoPadding(false)
  return Buffer.concat([decipher.update(userKey.subarray(0, 32)), decipher.final()])
}

function keyOfObject(key: Buffer, before: string, cipher: 'rc4' | 'aes'): Buffer {
  const at = before.lastIndexOf('obj')
  const [, number, generation] = /(\d{1,10})\s{1,8}(\d{1,5})\s{1,8}$/.exec(before.slice(Math.max(0, at - 40), at)) ?? []
  const salt = Buffer.alloc(5)
  salt.writeUIntLE(Number(number ?? 0) & 0xffffff, 0, 3)
  salt.writeUIntLE(Number(generation ?? 0) & 0xffff, 3, 2)
  const hash = md5(key, salt, cipher === 'aes' ? Buffer.from('sAlT') : Buffer.alloc(0))
  return hash.subarray(0, Math.min(16, key.length + 5))
}

/** The first block is the initialization vector; what follows the last whole block is the end of a line. */
function decryptAes(key: Buffer, locked: Buffer): Buffer {
  const whole = locked.subarray(16, locked.length - (locked.length % 16))
  if (locked.length < 32) return Buffer.alloc(0)
  const decipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, locked.subarray(0, 16)).setAutoPadding(false)
  const plain = Buffer.concat([decipher.update(whole), decipher.final()])
  return plain.subarray(0, plain.length - Math.min(16, plain.at(-1) ?? 0))
}
