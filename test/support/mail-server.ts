import { SMTPServer } from 'smtp-server'
import { afterAll } from 'vitest'
import { freePort } from './servers.ts'

interface ReceivedMail {
  to: string[]
  headers: Record<string, string>
  text: string
  html: string
}

/** What the server does with a mail: accept it, refuse it, never answer, or hang up. */
type Mood = 'accept' | 'refuse' | 'stall' | 'drop'

export interface MailServer {
  /** For SMTP_URL. It stays the same while the server is down. */
  url: string
  mood: Mood
  received: ReceivedMail[]
  /** How many times a client tried to deliver a mail. */
  attempts(): number
  up(): Promise<void>
  down(): Promise<void>
}

/** A person who is added without a token gets an invitation by mail, which tests of other mails ignore. */
const INVITATION = /^You are invited to Diwan|^دعوة إلى ديوان/

/** A real SMTP server on a port of its own, which can fail in the ways that real ones do. */
export async function startMailServer({ passingOverInvitations = false } = {}): Promise<MailServer> {
  const port = await freePort()
  let attempts = 0
  let running: SMTPServer | undefined

  function create(): SMTPServer {
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      logger: false,
      closeTimeout: 100,
      onMailFrom(_address, session, callback) {
        attempts++
        if (mail.mood === 'refuse') return callback(Object.assign(new Error('Not now'), { responseCode: 451 }))
        if (mail.mood === 'drop') return hangUp(server, session.id)
        if (mail.mood === 'accept') callback()
      },
      onData(stream, session, callback) {
        const chunks: Buffer[] = []
        stream.on('data', chunk => chunks.push(chunk))
        stream.on('end', () => {
          const to = session.envelope.rcptTo.map(({ address }) => address)
          const read = readMail(Buffer.concat(chunks).toString('latin1'))
          if (!passingOverInvitations || !INVITATION.test(read.headers.subject ?? ''))
            mail.received.push({ to, ...read })
          callback()
        })
      },
    })
    server.on('error', () => {})
    return server
  }

  const mail: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    mood: 'accept',
    received: [],
    attempts: () => attempts,
    async up() {
      const server = create()
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, '127.0.0.1', resolve)
      })
      running = server
    },
    async down() {
      const server = running
      running = undefined
      if (server) await new Promise<void>(resolve => server.close(resolve))
    },
  }
  await mail.up()
  afterAll(() => mail.down())
  return mail
}

function hangUp(server: SMTPServer, sessionId: string): void {
  for (const connection of server.connections as Set<{ id: string; close(): void }>)
    if (connection.id === sessionId) connection.close()
}

/** Parses as much of MIME as we send: headers, and one part of each type. */
function readMail(raw: string): Omit<ReceivedMail, 'to'> {
  const mail = readPart(raw)
  const parts = leavesOf(mail)
  const of = (type: string) => decodePart(parts.find(part => part.headers['content-type']?.startsWith(type)))
  return { headers: mail.headers, text: of('text/plain'), html: of('text/html') }
}

/** A mail with an attachment is `multipart/mixed`, and one of its parts is `multipart/alternative`. */
function leavesOf(part: Part): Part[] {
  const boundary = part.headers['content-type']?.match(/boundary="?([^";]+)/)?.[1]
  if (!boundary) return [part]
  return part.body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap(inner => leavesOf(readPart(inner.replace(/^\r\n/, ''))))
}

interface Part {
  headers: Record<string, string>
  body: string
}

function readPart(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map(line => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    decodeWords(line.slice(line.indexOf(':') + 1).trim()),
  ])
  return { headers: Object.fromEntries(headers), body: raw.slice(end + 4) }
}

function decodePart(part: Part | undefined): string {
  if (!part) return ''
  const body = part.body.replace(/\r\n$/, '')
  const encoding = part.headers['content-transfer-encoding']?.toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8').replaceAll('\r\n', '\n')
  const bytes = encoding === 'quoted-printable' ? fromQuotedPrintable(body.replace(/=\r\n/g, '')) : body
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n')
}

/** Decodes the words of a header that are not ASCII: =?UTF-8?B?…?= and =?UTF-8?Q?…?=. */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('latin1')
        : fromQuotedPrintable(word.replaceAll('_', ' ')),
    )
    .replace(/[\x80-\xff]+/g, bytes => Buffer.from(bytes, 'latin1').toString('utf8'))
}

function fromQuotedPrintable(text: string): string {
  return text.replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
