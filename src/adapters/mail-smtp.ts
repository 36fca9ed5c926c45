import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { Mailer } from '../domain/ports/mailer.ts'

/**
 * For one mail, from connecting to the server's word that it has accepted it. A job is given to another worker after 60
 * seconds; by then this attempt must be over, or the mail would go out twice.
 */
const SEND_WITHIN_MS = 40_000
/** Connections that stay open for the next mails. There are as many at a time as mails are being sent. */
const MOST_KEPT = 5

/** Mail over SMTP. Each mail has a connection to itself while it is sent, so that it can be cut off without touching another. */
export function createSmtpMailer(url: string, from: string, sendWithinMs = SEND_WITHIN_MS): Mailer {
  const free: Line[] = []
  const open = () => openLine(url, from)
  const checking = open()
  let isClosed = false

  return {
    async send({ calendar, ...mail }) {
      const line = free.pop() ?? open()
      try {
        const sending = line.sendMail({
          ...mail,
          inReplyTo: mail.references.at(-1),
          icalEvent: calendar,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        await within(sendWithinMs, sending)
      } catch (error) {
        // Whatever the server may still say, nothing more is sent over this connection.
        line.close({ force: true })
        throw error
      }
      if (free.length < MOST_KEPT && !isClosed) free.push(line)
      else line.close()
    },
    async check() {
      await within(sendWithinMs, checking.verify())
      return { state: 'ok', message: 'The mail server answers.' }
    },
    close() {
      isClosed = true
      for (const line of [...free, checking]) line.close()
    },
  }
}

type Line = ReturnType<typeof openLine>

/**
 * One connection, which is made when it is needed and may be used again. If it breaks, the mail is not sent again here: its
 * job is tried again.
 */
function openLine(url: string, from: string) {
  const own = { pool: true, maxConnections: 1, maxRequeues: 0 } as const
  const waits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
  return createTransport({ url, ...own, ...waits }, { from })
}

/** A server that sends a byte now and then never falls silent, so only an overall deadline ends the wait for it. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const isOver = new AbortController()
  const deadline = sleep(ms, undefined, { signal: isOver.signal }).then(() => {
    throw new Error(`The mail server gave no answer within ${ms / 1000} seconds`)
  })
  try {
    return await Promise.race([answer, deadline])
  } finally {
    isOver.abort()
    deadline.catch(() => {})
  }
}
