import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../domain/errors.ts'
import { preferredEncoding } from '../../lib/accept-encoding.ts'
import { nothingFor } from '../answers/etag.ts'

/** Made by the build (build/pages.js), with compressed versions beside each file. The sources are served with the last build. */
const FOLDER = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/pages' : '../../../pages', import.meta.url),
)

/** With the ending of the files that the build compresses, in the order of our preference. */
const ENDINGS = { br: '.br', gzip: '.gz' }
const ENCODINGS = ['br', 'gzip'] as const

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
}

/** Sends a file of the build, compressed with an encoding that the browser accepts. The headers are those of the file. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, name: string, headers: Headers = {}) {
  const encoding = preferredEncoding(request.headers['accept-encoding'], ENCODINGS)
  const body = fileOf(name + (encoding ? ENDINGS[encoding] : ''))
  if (!body) {
    // While nodes are being updated, another one may have it already: this answer must not be cached.
    reply.header('cache-control', 'no-store')
    throw notFound()
  }
  if (encoding) reply.header('content-encoding', encoding)
  return answer(request, reply.headers(headers).type(TYPES[name.split('.').at(-1) ?? ''] ?? ''), body)
}

type Headers = Record<string, string>

const known = new Map<string, Buffer>()

/** The names come from requests, so only names that the build could have made are looked up. */
function fileOf(name: string): Buffer | undefined {
  const read = known.get(name)
  if (read) return read
  if (!/^(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)+$/.test(name)) return undefined
  try {
    const bytes = readFileSync(join(FOLDER, name))
    known.set(name, bytes)
    return bytes
  } catch {
    return undefined
  }
}

/** A text that is made at run time, when it is first asked for, and cached in compressed form. */
export function createCompressedText(makeText: () => string) {
  let bodies: Promise<Record<'br' | 'gzip' | 'plain', Buffer>> | undefined
  return async (request: FastifyRequest, reply: FastifyReply) => {
    bodies ??= compress(makeText())
    const encoding = preferredEncoding(request.headers['accept-encoding'], ENCODINGS)
    const body = (await bodies)[encoding ?? 'plain']
    if (encoding) reply.header('content-encoding', encoding)
    return answer(request, reply, body)
  }
}

async function compress(text: string) {
  const plain = Buffer.from(text)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 }
  const [br, gz] = await Promise.all([promisify(brotliCompress)(plain, { params }), promisify(gzip)(plain)])
  return { plain, br, gzip: gz }
}

/** Made once with the bytes: anybody may ask for a page, and it has megabytes. */
const tags = new WeakMap<Buffer, string>()

function tagOf(body: Buffer): string {
  const tag = tags.get(body) ?? `"${hash('sha256', body, 'base64url').slice(0, 22)}"`
  tags.set(body, tag)
  return tag
}

function answer(request: FastifyRequest, reply: FastifyReply, body: Buffer) {
  const tag = tagOf(body)
  reply.header('vary', 'accept-encoding').header('etag', tag)
  if (request.headers['if-none-match'] === tag) return reply.code(304).send(nothingFor(request) ?? undefined)
  return reply.send(body)
}
