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

type Words = Record<NotificationFacts['language'], (facts: NotificationFacts) => Wording>

const WORDS: Record<string, Words> = {
  discussion_created: {
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
  },
  file_infected: {
    en: ({ title, name, project }) => ({
      subject: `Infected file removed: ${title}`,
      greeting: `Hello ${name},`,
      sentence: `The virus scan found that “${title}”${project === null ? '' : ` in ${project}`} is infected. Its content was removed.`,
      footer: 'You receive this because you uploaded the file.',
    }),
    ar: ({ title, name, project }) => ({
      subject: `أُزيل ملف مصاب: ${title}`,
      greeting: `مرحبًا ${name}،`,
      sentence: `كشف فحص الفيروسات أن الملف «${title}»${project === null ? '' : ` في مشروع ${project}`} مصاب، فأُزيل محتواه.`,
      footer: 'تصلك هذه الرسالة لأنك رفعت الملف.',
    }),
  },
}

/** Subject, plain text and HTML of a notification, in the language of its reader. */
export function composeNotification(facts: NotificationFacts): { subject: string; text: string; html: string } {
  const words = WORDS[facts.kind]
  if (!words) throw new Error(`There are no words for a notification of the kind ${facts.kind}`)
  const { subject, greeting, sentence, footer } = words[facts.language](facts)
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
