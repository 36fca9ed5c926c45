import { createTransport } from 'nodemailer'
import type { Mailer } from '../domain/ports/mailer.ts'

/** Mail over SMTP. Every wait is shorter than the time after which a job is given to another worker. */
export function createSmtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(
    {
      url,
      pool: true,
      maxConnections: 5,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
    } as object,
    { from },
  )
  return {
    async send({ calendar, ...mail }) {
      await transport.sendMail({
        ...mail,
        inReplyTo: mail.references.at(-1),
        icalEvent: calendar,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
    async check() {
      await transport.verify()
      return { state: 'ok', message: 'The mail server answers.' }
    },
    close: () => transport.close(),
  }
}
