import type { Language } from '../../domain/languages.ts'
import type { NotificationKind } from '../../domain/people/notifications.ts'
import { ours, type Phrase, say } from '../../lib/isolation.ts'
import { type Scanned, UNSCANNED } from './scan-text.ts'

/** Who did what to what. */
interface Deed extends Scanned {
  title: string
  actor: string
  project: string | null
}

interface Wording {
  subject: Phrase
  sentence: Phrase
  footer: Phrase
}

type Words = Record<Language, (deed: Deed) => Wording>

const inProject = ({ project }: Deed) => (project === null ? [] : say` in ${project}`)
const arabicProject = ({ project }: Deed) => (project === null ? [] : say` في مشروع ${project}`)
const INVITED: Record<Language, Phrase> = {
  en: say`You receive this because you are invited to this event.`,
  ar: say`تصلك هذه الرسالة لأن اسمك في قائمة المدعوين إلى هذا الموعد.`,
}
const ADMINISTERS_KEYS: Record<Language, Phrase> = {
  en: say`You receive this because you manage the API keys of your company.`,
  ar: say`تصلك هذه الرسالة لأن إدارة مفاتيح API في شركتك من صلاحياتك.`,
}
const IS_THEIR_ACCOUNT: Record<Language, Phrase> = {
  en: say`You receive this because it is about your account.`,
  ar: say`تصلك هذه الرسالة لأنها تخصّ حسابك.`,
}
const WAS_INVITED: Record<Language, Phrase> = {
  en: say`You receive this because you were invited to this event.`,
  ar: say`تصلك هذه الرسالة لأن اسمك كان في قائمة المدعوين إلى هذا الموعد.`,
}

export const GREETING: Record<Language, (name: string) => Phrase> = {
  en: name => say`Hello ${name},`,
  ar: name => say`مرحبًا ${name}،`,
}

/** What the button says that leads to Diwan. */
export const OPEN: Record<Language, Phrase> = { en: say`Open Diwan`, ar: say`فتح ديوان` }
export const ACCEPT: Record<Language, Phrase> = { en: say`Accept the invitation`, ar: say`قبول الدعوة` }

/** Nobody knows whether a reader or an actor is a woman or a man: no verb of an Arabic sentence agrees with either. */
export const WORDS: Record<NotificationKind, Words> = {
  discussion_created: {
    en: deed => ({
      subject: say`New discussion: ${deed.title}`,
      sentence: say`${deed.actor} started the discussion “${deed.title}”${inProject(deed)}.`,
      footer: say`You receive this because you are on the project.`,
    }),
    ar: deed => ({
      subject: say`نقاش جديد: ${deed.title}`,
      sentence: say`نقاش جديد من ${deed.actor}${arabicProject(deed)}: «${deed.title}».`,
      footer: say`تصلك هذه الرسالة لأن اسمك بين أعضاء المشروع.`,
    }),
  },
  discussion_replied: {
    en: deed => ({
      subject: say`New reply: ${deed.title}`,
      sentence: say`${deed.actor} replied to the discussion “${deed.title}”${inProject(deed)}.`,
      footer: say`You receive this because you follow the discussion.`,
    }),
    ar: deed => ({
      subject: say`رد جديد: ${deed.title}`,
      sentence: say`رد من ${deed.actor} في النقاش «${deed.title}»${arabicProject(deed)}.`,
      footer: say`تصلك هذه الرسالة لأن هذا النقاش ضمن متابعاتك.`,
    }),
  },
  file_infected: {
    en: deed => ({
      subject: say`Infected file removed: ${deed.title}`,
      sentence: say`The virus scan found that “${deed.title}”${inProject(deed)} is infected. Its content was removed.`,
      footer: say`You receive this because you uploaded the file.`,
    }),
    ar: deed => ({
      subject: say`إزالة ملف مصاب: ${deed.title}`,
      sentence: say`كشف فحص الفيروسات أن الملف «${deed.title}»${arabicProject(deed)} مصاب، فأُزيل محتواه.`,
      footer: say`تصلك هذه الرسالة لأن الملف رُفع باسمك.`,
    }),
  },
  file_unscanned: {
    en: deed => ({
      subject: say`Not scanned: ${deed.title}`,
      sentence: say`“${deed.title}”${inProject(deed)} ${ours(UNSCANNED.en(deed))}`,
      footer: say`You receive this because you uploaded the file.`,
    }),
    ar: deed => ({
      subject: say`ملف لم يُفحص: ${deed.title}`,
      sentence: say`الملف «${deed.title}»${arabicProject(deed)} ${ours(UNSCANNED.ar(deed))}`,
      footer: say`تصلك هذه الرسالة لأن الملف رُفع باسمك.`,
    }),
  },
  calendar_connected: {
    en: ({ title }) => ({
      subject: say`A calendar was connected: ${title}`,
      sentence: say`A calendar at ${title} was connected to your account in Diwan, and your events are written to it from now on. If it is not yours, disconnect it, revoke your tokens and tell an owner of your company.`,
      footer: IS_THEIR_ACCOUNT.en,
    }),
    ar: ({ title }) => ({
      subject: say`ربط تقويم بحسابك: ${title}`,
      sentence: say`رُبط بحسابك في ديوان تقويمٌ عنوانه ${title}، وستُكتب مواعيدك فيه من الآن. إن لم يكن التقويم لك، فيُرجى فصله، وإبطال رموز وصولك، وإبلاغ أحد مالكي شركتك.`,
      footer: IS_THEIR_ACCOUNT.ar,
    }),
  },
  calendar_disconnected: {
    en: ({ title }) => ({
      subject: say`A calendar was disconnected: ${title}`,
      sentence: say`The calendar at ${title} was disconnected from your account in Diwan. What is in it stays there, and nothing more is written to it. You can connect it again at any time.`,
      footer: IS_THEIR_ACCOUNT.en,
    }),
    ar: ({ title }) => ({
      subject: say`فصل تقويم عن حسابك: ${title}`,
      sentence: say`فُصل عن حسابك في ديوان التقويمُ الذي عنوانه ${title}. يبقى ما فيه كما هو، ولن يُكتب فيه شيء بعد الآن. يمكنك ربطه من جديد في أي وقت.`,
      footer: IS_THEIR_ACCOUNT.ar,
    }),
  },
  calendar_failing: {
    en: ({ title }) => ({
      subject: say`Your calendar is out of step: ${title}`,
      sentence: say`For more than a day Diwan could not write to your calendar at ${title}. It goes on trying. If your password or the address has changed, connect the calendar again.`,
      footer: say`You receive this because you connected the calendar.`,
    }),
    ar: ({ title }) => ({
      subject: say`تقويمك غير متزامن: ${title}`,
      sentence: say`تعذّرت على ديوان الكتابة في تقويمك الذي عنوانه ${title} منذ أكثر من يوم، وما زال يحاول. إذا تغيّرت كلمة المرور أو تغيّر العنوان، فيلزم ربط التقويم من جديد.`,
      footer: say`تصلك هذه الرسالة لأن التقويم مربوط بحسابك.`,
    }),
  },
  webhook_failing: {
    en: ({ title }) => ({
      subject: say`Webhook failing: ${title}`,
      sentence: say`For more than a day, every delivery to the webhook “${title}” has failed. Diwan keeps trying, and switches the webhook off after five days of failures. Its log shows why each delivery failed.`,
      footer: ADMINISTERS_KEYS.en,
    }),
    ar: ({ title }) => ({
      subject: say`خطاف ويب متعثر: ${title}`,
      sentence: say`تفشل كل عمليات التسليم إلى خطاف الويب «${title}» منذ أكثر من يوم. يواصل ديوان المحاولة، ويوقف الخطاف بعد خمسة أيام من الفشل. يبيّن سجل الخطاف سبب فشل كل عملية.`,
      footer: ADMINISTERS_KEYS.ar,
    }),
  },
  webhook_switched_off: {
    en: ({ title }) => ({
      subject: say`Webhook switched off: ${title}`,
      sentence: say`Diwan has switched off the webhook “${title}”: either every delivery failed for five days, or its receiver answered that it is gone. When the receiver works again, switch the webhook back on; failed deliveries can be replayed.`,
      footer: ADMINISTERS_KEYS.en,
    }),
    ar: ({ title }) => ({
      subject: say`إيقاف خطاف ويب: ${title}`,
      sentence: say`أوقف ديوان خطاف الويب «${title}» لأن كل عمليات التسليم إليه فشلت طوال خمسة أيام، أو لأن المستقبِل ردّ بأنه لم يعد موجودًا. بعد عودة المستقبِل إلى العمل يمكن تشغيل الخطاف من جديد، وإعادة عمليات التسليم التي فشلت.`,
      footer: ADMINISTERS_KEYS.ar,
    }),
  },
  invitation: {
    en: ({ title }) => ({
      subject: say`You are invited to Diwan: ${title}`,
      sentence: say`You have been added to ${title} on Diwan. Your invitation code works once, within seven days:`,
      footer: say`You receive this because somebody at ${title} added you with this address. Whoever has the code can sign in as you, so please keep it to yourself.`,
    }),
    ar: ({ title }) => ({
      subject: say`دعوة إلى ديوان: ${title}`,
      sentence: say`هذه دعوة للانضمام إلى ${title} في ديوان. رمز الدعوة صالح للاستخدام مرة واحدة خلال سبعة أيام:`,
      footer: say`تصلك هذه الرسالة لأن عنوان بريدك سُجّل عند إضافتك إلى ${title}. الرمز وحده يكفي للدخول باسمك، فيُرجى عدم إطلاع أحد عليه.`,
    }),
  },
  event_invited: {
    en: ({ title, actor }) => ({
      subject: say`Invitation: ${title}`,
      sentence: say`${actor} invites you to “${title}”.`,
      footer: INVITED.en,
    }),
    ar: ({ title, actor }) => ({
      subject: say`دعوة: ${title}`,
      sentence: say`دعوة من ${actor} إلى الموعد «${title}».`,
      footer: INVITED.ar,
    }),
  },
  event_changed: {
    en: ({ title, actor }) => ({
      subject: say`Changed: ${title}`,
      sentence: say`${actor} changed “${title}”.`,
      footer: INVITED.en,
    }),
    ar: ({ title, actor }) => ({
      subject: say`تعديل: ${title}`,
      sentence: say`تعديل من ${actor} على الموعد «${title}».`,
      footer: INVITED.ar,
    }),
  },
  event_removed: {
    en: ({ title, actor }) => ({
      subject: say`No longer invited: ${title}`,
      sentence: say`${actor} took you off the list of “${title}”.`,
      footer: WAS_INVITED.en,
    }),
    ar: ({ title, actor }) => ({
      subject: say`إلغاء دعوتك: ${title}`,
      sentence: say`إلغاء من ${actor} لدعوتك إلى الموعد «${title}».`,
      footer: WAS_INVITED.ar,
    }),
  },
  event_cancelled: {
    en: ({ title, actor }) => ({
      subject: say`Cancelled: ${title}`,
      sentence: say`${actor} cancelled “${title}”.`,
      footer: WAS_INVITED.en,
    }),
    ar: ({ title, actor }) => ({
      subject: say`إلغاء: ${title}`,
      sentence: say`إلغاء من ${actor} للموعد «${title}».`,
      footer: WAS_INVITED.ar,
    }),
  },
}
