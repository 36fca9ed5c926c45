/** What a mail is made of. All of it was written by people, and none of it is trusted as HTML or as a header. */
export interface NotificationFacts {
  kind: string
  title: string
  name: string
  language: 'en' | 'ar'
  actor: string
  project: string | null
}

interface Wording {
  subject: string
  greeting: string
  sentence: string
  footer: string
}

const WORDINGS: Record<NotificationFacts['language'], (facts: NotificationFacts) => Wording> = {
  en: ({ title, name, actor, project }) => ({
    subject: `New discussion: ${title}`,
    greeting: `Hello ${name},`,
    sentence: `${actor} started the discussion “${title}”${project === null ? '' : ` in ${project}`}.`,
    footer: 'You receive this because you are on the project.',
  }),
  ar: ({ title, name, actor, project }) => ({
    subject: `موضوع جديد في المجلس: ${title}`,
    greeting: `مرحبًا ${name}،`,
    sentence: `نشر ${actor} الموضوع «${title}»${project === null ? '' : ` في مشروع ${project}`}.`,
    footer: 'تصلك هذه الرسالة لأنك ضمن المشروع.',
  }),
}

/** Subject, plain text and HTML of a notification, in the language of its reader. */
export function composeNotification(facts: NotificationFacts): { subject: string; text: string; html: string } {
  const { subject, greeting, sentence, footer } = WORDINGS[facts.language](facts)
  const direction = facts.language === 'ar' ? 'rtl' : 'ltr'
  const html = `<!doctype html>
<html lang="${facts.language}" dir="${direction}">
<body style="font-family: system-ui, sans-serif; line-height: 1.6">
<p>${escapeHtml(greeting)}</p>
<p>${escapeHtml(sentence)}</p>
<p style="color: #666; font-size: 0.9em">${escapeHtml(footer)}</p>
</body>
</html>
`
  return { subject: subject.replace(/\s+/g, ' '), text: `${greeting}\n\n${sentence}\n\n--\n${footer}\n`, html }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}
