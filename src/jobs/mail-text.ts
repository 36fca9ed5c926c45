import { type CalendarEvent, type CalendarMethod, toICalendar } from '../lib/icalendar.ts'
import { unscannedInArabic, unscannedInEnglish } from './mail-scan-text.ts'

/** What a mail is made of. All of it was written by people, and none of it is trusted as HTML or as a header. */
export interface NotificationFacts {
  kind: string
  title: string
  name: string
  language: 'en' | 'ar'
  actor: string
  project: string | null
  /** For what concerns an event: the event as it was then, and the zone in which its time is told. */
  event?: CalendarEvent | null
  time_zone?: string
  /** For what concerns a file: what the virus scan has said of it since. */
  scan_finding?: string | null
  scan_message?: string | null
}

export interface ComposedMail {
  subject: string
  text: string
  html: string
  calendar?: { method: 'REQUEST' | 'CANCEL'; content: string }
}

interface Wording {
  subject: string
  sentence: string
  footer: string
}

interface Words {
  en: (facts: Facts) => Wording
  ar: (facts: Facts) => Wording
  /** What a mail program is asked to do with the event. */
  method?: CalendarMethod
}

type Facts = NotificationFacts & { when: string }

const inProject = ({ project }: Facts) => (project === null ? '' : ` in ${project}`)
const arabicProject = ({ project }: Facts) => (project === null ? '' : ` في مشروع ${project}`)
const INVITED = { en: 'You receive this because you are invited.', ar: 'تصلك هذه الرسالة لأنك من المدعوين.' }

const WORDS: Record<string, Words> = {
  discussion_created: {
    en: facts => ({
      subject: `New discussion: ${facts.title}`,
      sentence: `${facts.actor} started the discussion “${facts.title}”${inProject(facts)}.`,
      footer: 'You receive this because you are on the project.',
    }),
    ar: facts => ({
      subject: `موضوع جديد في المجلس: ${facts.title}`,
      sentence: `نشر ${facts.actor} الموضوع «${facts.title}»${arabicProject(facts)}.`,
      footer: 'تصلك هذه الرسالة لأنك ضمن المشروع.',
    }),
  },
  file_infected: {
    en: facts => ({
      subject: `Infected file removed: ${facts.title}`,
      sentence: `The virus scan found that “${facts.title}”${inProject(facts)} is infected. Its content was removed.`,
      footer: 'You receive this because you uploaded the file.',
    }),
    ar: facts => ({
      subject: `أُزيل ملف مصاب: ${facts.title}`,
      sentence: `كشف فحص الفيروسات أن الملف «${facts.title}»${arabicProject(facts)} مصاب، فأُزيل محتواه.`,
      footer: 'تصلك هذه الرسالة لأنك رفعت الملف.',
    }),
  },
  file_unscanned: {
    en: facts => ({
      subject: `Not scanned: ${facts.title}`,
      sentence: `“${facts.title}”${inProject(facts)} ${unscannedInEnglish(facts)}`,
      footer: 'You receive this because you uploaded the file.',
    }),
    ar: facts => ({
      subject: `ملف لم يُفحص: ${facts.title}`,
      sentence: `الملف «${facts.title}»${arabicProject(facts)} ${unscannedInArabic(facts)}`,
      footer: 'تصلك هذه الرسالة لأنك رفعت الملف.',
    }),
  },
  calendar_failing: {
    en: ({ title }) => ({
      subject: `Your calendar is out of step: ${title}`,
      sentence: `For more than a day Diwan could not write to your calendar at ${title}. It goes on trying. If your password or the address has changed, connect the calendar again.`,
      footer: 'You receive this because you connected the calendar.',
    }),
    ar: ({ title }) => ({
      subject: `تقويمك غير متزامن: ${title}`,
      sentence: `تعذّر على «ديوان» الكتابة في تقويمك على ${title} منذ أكثر من يوم، وما زالت المحاولة مستمرة. إذا تغيّرت كلمة المرور أو العنوان فأعد ربط التقويم.`,
      footer: 'تصلك هذه الرسالة لأنك ربطت التقويم.',
    }),
  },
  event_invited: {
    method: 'REQUEST',
    en: ({ title, actor, when }) => ({
      subject: `Invitation: ${title}`,
      sentence: `${actor} invites you to “${title}”, ${when}.`,
      footer: INVITED.en,
    }),
    ar: ({ title, actor, when }) => ({
      subject: `دعوة: ${title}`,
      sentence: `يدعوك ${actor} إلى «${title}»، ${when}.`,
      footer: INVITED.ar,
    }),
  },
  event_changed: {
    method: 'REQUEST',
    en: ({ title, actor, when }) => ({
      subject: `Changed: ${title}`,
      sentence: `${actor} changed “${title}”. It is now ${when}.`,
      footer: INVITED.en,
    }),
    ar: ({ title, actor, when }) => ({
      subject: `تغيير: ${title}`,
      sentence: `غيّر ${actor} «${title}». الموعد الآن ${when}.`,
      footer: INVITED.ar,
    }),
  },
  event_removed: {
    method: 'CANCEL',
    en: ({ title, actor, when }) => ({
      subject: `No longer invited: ${title}`,
      sentence: `${actor} took you off the list of “${title}”, ${when}.`,
      footer: 'You receive this because you were invited.',
    }),
    ar: ({ title, actor, when }) => ({
      subject: `أُلغيت دعوتك: ${title}`,
      sentence: `أزالك ${actor} من قائمة المدعوين إلى «${title}»، ${when}.`,
      footer: 'تصلك هذه الرسالة لأنك كنت من المدعوين.',
    }),
  },
  event_cancelled: {
    method: 'CANCEL',
    en: ({ title, actor, when }) => ({
      subject: `Cancelled: ${title}`,
      sentence: `${actor} cancelled “${title}”, ${when}.`,
      footer: INVITED.en,
    }),
    ar: ({ title, actor, when }) => ({
      subject: `إلغاء: ${title}`,
      sentence: `ألغى ${actor} «${title}»، ${when}.`,
      footer: INVITED.ar,
    }),
  },
}

/** A notification as mail, in the language of its reader; with the event itself, for mail programs that know calendars. */
export function composeNotification(facts: NotificationFacts): ComposedMail {
  const words = WORDS[facts.kind]
  if (!words) throw new Error(`There are no words for a notification of the kind ${facts.kind}`)
  const { subject, sentence, footer } = words[facts.language]({ ...facts, when: whenOf(facts) })
  const greeting = facts.language === 'ar' ? `مرحبًا ${facts.name}،` : `Hello ${facts.name},`
  return {
    subject: subject.replace(/\s+/g, ' '),
    text: `${greeting}\n\n${sentence}\n\n--\n${footer}\n`,
    html: htmlOf(facts.language, [greeting, sentence], footer),
    ...(facts.event &&
      words.method && { calendar: { method: words.method, content: toICalendar(facts.event, words.method) } }),
  }
}

function htmlOf(language: 'en' | 'ar', paragraphs: string[], footer: string): string {
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<body style="font-family: system-ui, sans-serif; line-height: 1.6">
${paragraphs.map(paragraph => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}
<p style="color: #666; font-size: 0.9em">${escapeHtml(footer)}</p>
</body>
</html>
`
}

/** When the event is, in the reader's words and the company's time. */
function whenOf({ event, language, time_zone }: NotificationFacts): string {
  if (!event) return ''
  const locale = language === 'ar' ? 'ar-u-ca-gregory' : 'en-GB'
  if (event.all_day) {
    const day = new Date(`${event.starts_clock?.slice(0, 10)}T00:00:00Z`)
    return new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' }).format(day)
  }
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: time_zone ?? 'UTC',
  })
  return `${format.format(new Date(event.starts_at))} (${time_zone ?? 'UTC'})`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}
