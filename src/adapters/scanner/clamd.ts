import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { obstacleOf, type Scanner } from '../../domain/ports/virus-scanner.ts'
import { say } from '../../domain/sentences/sentences.ts'

const CONNECT_LIMIT_MS = 5_000
const CHUNK_BYTES = 64 * 1024
/** An answer is one line with the name of a signature. */
const ANSWER_MAX_BYTES = 4_096

export interface ClamdOptions {
  /** For a scan in all, or for one command. Less than the time that a job has. */
  timeLimitMs?: number
}

/**
 * A clamd at `tcp://host:port` or `unix:/path`. Only a plain OK is clean; a refusal, an unknown answer or none throws.
 *
 * One thing cannot be seen from here: clamd answers OK for what exceeds its own limits (MaxScanSize, MaxFileSize, MaxRecursion,
 * MaxFiles, MaxScanTime) unless its configuration has `AlertExceedsMax yes`, and for password-protected files unless it has
 * `AlertEncrypted yes`. Exceeding its StreamMaxLength, by contrast, is answered with an error, and so throws.
 */
export function createClamdScanner(url: string, { timeLimitMs = 30_000 }: ClamdOptions = {}): Scanner {
  const address = parseAddress(url)
  const ask = (command: string, content?: Buffer, limitMs = timeLimitMs) => exchange(address, command, content, limitMs)

  return {
    async scan(bytes) {
      const startedAt = performance.now()
      const engine = parseVersion(await ask('VERSION'))
      const answer = await ask('INSTREAM', bytes, Math.ceil(startedAt + timeLimitMs - performance.now()))
      if (answer === 'stream: OK') return { outcome: 'clean', engine, finding: null }
      const [, finding] = /^stream: (.+) FOUND$/.exec(answer) ?? []
      if (!finding) throw new Error(`clamd did not scan: ${JSON.stringify(answer)}`)
      // If clamd is set to report them, locked files and those beyond its limits are reported like a virus, but are not one.
      return { outcome: obstacleOf(finding) ? 'failed' : 'infected', engine, finding }
    },
    async check() {
      const answer = await ask('PING')
      if (answer !== 'PONG') throw new Error(`clamd did not answer PING with PONG: ${JSON.stringify(answer)}`)
      return { state: 'ok', message: say('{engine} answers.', { engine: parseVersion(await ask('VERSION')) }) }
    },
    // Each scan has its own connection, which ends with it.
    async close() {},
  }
}

function parseAddress(url: string): NetConnectOpts {
  const [, path] = /^unix:(?:\/\/)?(\/.+)$/.exec(url) ?? []
  if (path) return { path }
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol !== 'tcp:' || !parsed.hostname || !parsed.port) {
    throw new Error('The address of clamd must be tcp://host:port or unix:/path')
  }
  return { host: parsed.hostname.replace(/^\[|\]$/g, ''), port: Number(parsed.port) }
}

/** `ClamAV 1.4.2/27500/Mon Jan …` without the date; a clamd that never had the official signatures gives no number. */
function parseVersion(answer: string): string {
  if (!answer.startsWith('ClamAV ')) throw new Error(`Not a clamd: it answered ${JSON.stringify(answer)} to VERSION`)
  return answer.split('/').slice(0, 2).join('/')
}

/** One command on one connection: in this form both the command and the answer end with a zero byte. */
function exchange(
  address: NetConnectOpts,
  command: string,
  content: Buffer | undefined,
  limitMs: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(address)
    const give = (limit: number, what: string) =>
      setTimeout(() => socket.destroy(new Error(`clamd ${what} within ${limit} ms`)), limit)
    const connecting = give(Math.min(CONNECT_LIMIT_MS, limitMs), 'could not be reached')
    const answering = give(limitMs, `did not answer ${command}`)
    let received = Buffer.alloc(0)

    socket.on('connect', () => {
      clearTimeout(connecting)
      send(socket, command, content)
    })
    socket.on('data', data => {
      received = Buffer.concat([received, data])
      const end = received.indexOf(0)
      if (end >= 0) {
        resolve(received.toString('utf8', 0, end))
        socket.destroy()
      } else if (received.length > ANSWER_MAX_BYTES) socket.destroy(new Error('clamd answered with no end'))
    })
    socket.on('error', reject)
    socket.on('close', () => {
      clearTimeout(connecting)
      clearTimeout(answering)
      // Does nothing after an answer or an error.
      reject(new Error(`clamd closed the connection without an answer to ${command}`))
    })
  })
}

function send(socket: Socket, command: string, content: Buffer | undefined): void {
  socket.write(`z${command}\0`)
  if (!content) return
  for (let at = 0; at < content.length; at += CHUNK_BYTES) {
    const chunk = content.subarray(at, at + CHUNK_BYTES)
    socket.write(sizeOf(chunk))
    socket.write(chunk)
  }
  socket.write(Buffer.alloc(4))
}

function sizeOf(chunk: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(chunk.length)
  return size
}
