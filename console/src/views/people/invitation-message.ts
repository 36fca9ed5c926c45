import { isolate, type Language, localeOf, words } from '../../words/language.ts'

export interface InvitationFacts {
  /** Who is invited. */
  name: string
  company: string
  /** Null when the operator invites. */
  by: string | null
  code: string
  expiresAt: string
  zone: string
}

/** Where an invitation is accepted. After the #, the code is not sent to any server and is in no log. */
export function invitationLink(code: string, language?: Language): string {
  const opened = new URLSearchParams({ invitation: code, ...(language && { language }) })
  return `${location.origin}/console#${opened}`
}

const useMessageWords = words<(facts: InvitationFacts & { link: string; until: string }) => string>({
  en: ({ name, company, by, link, until }) =>
    `Hello ${isolate(name)},

${by === null ? 'You are invited' : `${isolate(by)} invites you`} to join ${isolate(company)} on Diwan. Open this link to accept:

${link}

It works once, until ${until}.`,
  ar: ({ name, company, by, link, until }) =>
    `مرحبًا ${isolate(name)}،

وصلتك دعوة${by === null ? '' : ` من ${isolate(by)}`} للانضمام إلى ${isolate(company)} على ديوان. يمكنك قبولها بفتح هذا الرابط:

${link}

يعمل الرابط مرة واحدة، حتى ${until}.`,
})

/** What can be sent to somebody who is invited: in either language, whichever the sender reads. The console opens in it too. */
export function invitationMessage(language: Language, facts: InvitationFacts): string {
  const until = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: facts.zone })
  const link = invitationLink(facts.code, language)
  return useMessageWords[language]({ ...facts, link, until: until.format(new Date(facts.expiresAt)) })
}
