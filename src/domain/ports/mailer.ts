import type { Condition } from './condition.ts'

interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** The same for every attempt, so that a receiver can recognise a repetition. */
  messageId: string
  /** The earlier mails of the thread, oldest first, so that mail programs show them together. */
  references: string[]
  /** The event that the mail is about, for mail programs that support calendars. */
  calendar?: { method: 'REQUEST' | 'CANCEL'; content: string }
}

export interface Mailer {
  /** Resolves when the mail server has accepted it. */
  send(mail: Mail): Promise<void>
  /** Whether the mail server accepts connections, and the credentials if there are any. */
  check(): Promise<Condition>
  close(): void
}

export const NO_MAILER: Condition = {
  state: 'off',
  message: 'Not set up: notifications are stored but not mailed.',
  advice: 'Set SMTP_URL and MAIL_FROM to have them mailed.',
}
