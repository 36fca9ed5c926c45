import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { inflateSync } from 'node:zlib'
import { Compiler, initSync, type Rules, type Scanner } from '@virustotal/yara-x'
import { Allowance, type Member, openArchive } from '../lib/archive.ts'
import { Unreadable } from '../lib/zip.ts'

export interface RuleSource {
  file: string
  /** `diwan` for ours; each of the operator's files has its own, so that names may repeat. */
  namespace: string
  text: string
}

export type WorkerAnswer = { ready: true } | { problem: string } | { finding: string | null }

interface Match {
  identifier: string
  namespace: string
  isPrivate: boolean
  metadata: { identifier: string; value: unknown }[]
}

/** An archive in an archive and so on. A workbook in a document in a tar.gz, with its macros, is five. */
const MAX_DEPTH = 8
/** The engine takes 0.1 ms to hand over each match, and a file can hold half a million. */
const MAX_MATCHES_PER_PATTERN = 1_000
/** What public rule sets expect to be told of a file. The last two are known of files on a disk only, and stay empty. */
const VARIABLES = ['filename', 'filepath', 'extension', 'filetype', 'owner']

const port = parentPort
if (!port) throw new Error('This file runs as a worker thread')
initSync({ module: readFileSync(new URL('yara_x_js_bg.wasm', import.meta.resolve('@virustotal/yara-x'))) })
const answer = (message: WorkerAnswer) => port.postMessage(message)

try {
  const sources = workerData as RuleSource[]
  const scanner = compile(sources).scanner()
  scanner.setMaxMatchesPerPattern(MAX_MATCHES_PER_PATTERN)
  // Each costs 10 ms to set, so only those that some rule asks for are.
  const variables = VARIABLES.filter(name => sources.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text)))
  // What is thrown in here ends the worker: after a fault inside the engine its memory cannot be trusted.
  port.on('message', ({ bytes, name }: { bytes: Uint8Array; name: string }) => {
    const upload: Member = { name, part: 'file', bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
    answer({ finding: examineUpload(upload, member => match(scanner, variables, member)) })
  })
  answer({ ready: true })
} catch (error) {
  answer({ problem: (error as Error).message })
}

function compile(sources: RuleSource[]): Rules {
  const compiler = new Compiler()
  for (const name of VARIABLES) compiler.defineGlobal(name, '')
  for (const { file, namespace, text } of sources) {
    compiler.newNamespace(namespace)
    try {
      compiler.addSource(text)
    } catch (error) {
      throw new Error(`${file}: ${inOneLine((error as Error).message)}`)
    }
  }
  return compiler.build()
}

/** The engine draws a picture of the place; a log wants one line. */
function inOneLine(message: string): string {
  const problem = message.split('\n')[0]?.replace(/^error\[\w+\]: /, '')
  const [, line, column] = /--> line:(\d+):(\d+)/.exec(message) ?? []
  const [, hint] = /\^ (.+)/.exec(message) ?? []
  return `${problem}${line ? ` at line ${line}, column ${column}` : ''}${hint ? `: ${hint}` : ''}`
}

function examineUpload(upload: Member, match: (member: Member) => string | null): string | null {
  const allowance = new Allowance(upload.bytes.length)
  const examine = (member: Member, depth: number): string | null => {
    const found = match(member)
    if (found || member.part === 'view' || member.part === 'macro') return found
    for (const inner of open(member, allowance)) {
      if (depth === MAX_DEPTH) throw new Unreadable('TooDeep')
      const foundInside = examine(inner, depth + 1)
      if (foundInside) return foundInside
    }
    return null
  }
  try {
    return examine(upload, 0)
  } catch (error) {
    if (error instanceof Unreadable) return `Archive.${error.obstacle}`
    throw error
  }
}

function match(scanner: Scanner, variables: string[], { name, part, bytes }: Member): string | null {
  // Windows drops dots and spaces at the end of a name.
  const filename = name.replace(/^.*[/\\]/s, '').replace(/[. ]+$/, '')
  const known = { filename, filepath: name, extension: extname(filename).slice(1).toLowerCase() }
  for (const [key, value] of Object.entries(known)) {
    if (variables.includes(key)) scanner.setGlobal(key, value.toWellFormed())
  }
  const { valid, errors, matches }: { valid: boolean; errors: string[]; matches: Match[] } = scanner.scan(bytes)
  if (!valid || errors.length > 0) throw new Error(`YARA-X could not scan: ${errors.join('; ')}`)
  const rule = matches.find(
    match => !match.isPrivate && (match.namespace !== 'diwan' || appliesTo(match, filename, part)),
  )
  return rule ? (noteOf(rule, 'finding') ?? rule.identifier) : null
}

/** What our rules say besides their conditions: see the head of diwan.yar. */
function appliesTo(rule: Match, filename: string, part: Member['part']): boolean {
  const [onlyName, onlyPart] = [noteOf(rule, 'name'), noteOf(rule, 'part')]
  return (!onlyName || new RegExp(onlyName, 'i').test(filename)) && (!onlyPart || onlyPart === part)
}

function noteOf({ metadata }: Match, key: string): string | undefined {
  const value = metadata.find(({ identifier }) => identifier === key)?.value
  // Text with an escape in it is handed over as bytes.
  return Array.isArray(value) ? Buffer.from(value).toString() : typeof value === 'string' ? value : undefined
}

function* open(member: Member, allowance: Allowance): Generator<Member> {
  yield* openArchive(member, allowance)
  if (member.bytes.subarray(0, 1024).includes('%PDF-')) yield* openPdf(member, allowance)
  if (member.bytes.subarray(0, 64).includes('{\\rt')) yield* openRtf(member, allowance)
  if (/^(mime-version|content-type):/im.test(member.bytes.toString('latin1', 0, 16_384)))
    yield* openMail(member, allowance)
}

/**
 * Newer PDFs keep their dictionaries packed in object streams. One rule may need words of several of them, so they are
 * unpacked behind the document as if they had never been packed. Attached files keep the name of the PDF: that is the name
 * under which they travel.
 */
function* openPdf({ name, bytes }: Member, allowance: Allowance): Generator<Member> {
  const objects: Buffer[] = []
  let before = 0
  for (let at = bytes.indexOf('stream'); at >= 0; at = bytes.indexOf('stream', before)) {
    const dictionary = decodeNames(bytes.toString('latin1', before, at))
    before = at + 'stream'.length
    const [, kind] = /\/(ObjStm|EmbeddedFile)\b/.exec(dictionary) ?? []
    if (!kind || dictionary.endsWith('end')) continue
    if (bytes.includes('/Encrypt')) throw new Unreadable('Encrypted')
    const unpacked = unpackPdfStream(bytes, before, dictionary, allowance)
    if (kind === 'ObjStm') objects.push(unpacked)
    else yield { name, part: 'file', bytes: unpacked }
  }
  if (objects.length > 0) yield { name, part: 'view', bytes: Buffer.concat([bytes, ...objects]) }
}

function decodeNames(text: string): string {
  return text.replace(/#([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
}

function unpackPdfStream(bytes: Buffer, keywordEnd: number, dictionary: string, allowance: Allowance): Buffer {
  if (/\/(ASCII|AHx|A85|LZW|RunLength|RL\b|Crypt\b|Predictor\s+1\d)/.test(dictionary))
    throw new Unreadable('Unsupported')
  const [lineEnd] = /^[ \t]*(\r\n|\n|\r)?/.exec(bytes.toString('latin1', keywordEnd, keywordEnd + 16)) ?? ['']
  const packed = bytes.subarray(keywordEnd + lineEnd.length)
  // Packed bytes know where they end; the word `endstream` could stand in the middle of them.
  if (dictionary.includes('/Filter')) return allowance.inflate(inflateSync, packed)
  const end = packed.indexOf('endstream')
  return allowance.spend(end < 0 ? packed : packed.subarray(0, end))
}

/** Embedded objects are written in hexadecimal, which hostile documents break up with spaces, groups and commands. */
function* openRtf({ name, bytes }: Member, allowance: Allowance): Generator<Member> {
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

/** What a saved mail or web page carries along, written in base64. */
function* openMail({ bytes }: Member, allowance: Allowance): Generator<Member> {
  const text = bytes.toString('latin1')
  const marker = /^content-transfer-encoding:[ \t]*base64/gim
  while (marker.exec(text)) {
    const blank = /\r?\n\r?\n/g
    blank.lastIndex = marker.lastIndex
    if (!blank.exec(text)) return
    const end = text.indexOf('\n--', blank.lastIndex)
    const head = text.slice(Math.max(0, marker.lastIndex - 1_000), blank.lastIndex)
    const name = /name="?([^"\r\n;]+)/i.exec(head.slice(head.lastIndexOf('\n--')))?.[1] ?? ''
    const part = Buffer.from(text.slice(blank.lastIndex, end < 0 ? undefined : end), 'base64')
    yield { name, part: 'file', bytes: allowance.spend(part) }
    marker.lastIndex = end < 0 ? text.length : end
  }
}
