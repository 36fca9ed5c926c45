import type { RecordedChange, TargetType } from '../api/types.ts'
import { words } from './language.ts'

/** What can be done to a thing, and is told in the same way of every thing. */
export type Verb =
  | RecordedChange['change']
  | 'added'
  | 'closed'
  | 'connected'
  | 'disconnected'
  | 'invited'
  | 'revoked'
  | 'rotated'

type Thing = Exclude<TargetType, 'session' | 'sign_in_link'>

/** What is told in a sentence of its own. */
type Special =
  | 'signedIn'
  | 'signedOut'
  | 'endedSession'
  | 'displacedSession'
  | 'linkedAccount'
  | 'undidLink'
  | 'acceptedInvitation'
  | 'addedMember'
  | 'removedMember'
  | 'sentAgain'
  | 'connectedApp'
  | 'endedApp'
  | 'rotatedSecret'
  | 'changedCredentials'
  | 'askedForScan'
  | 'switchedOffFailing'
  | 'switchedOffGone'
  | 'removedCompany'
  | 'startedDiscussion'
  | 'replied'
  | 'commented'
  | 'changedComment'
  | 'deletedComment'
  | 'didSomething'

/** A deed, as a verb and what it was done to, or by its own name. */
export type Deed = Special | `${Verb} ${Thing}`

interface DeedWords {
  /** The sentence of a deed. `{who}` stands for who did it, `{what}` for the name of the thing. */
  sentence: (deed: Deed) => string
  /** Who did it, as the sentence needs it: `{name}` stands for the name. */
  who: { person: string; key: string; app: string; operator: string; diwan: string }
  /** The sentence of a refusal, and who was refused. */
  refusal: string
  refused: { person: string; key: string; app: string; operator: string }
  thing: Record<Thing, string>
}

const EN_VERBS: Record<Verb, string> = {
  created: 'created',
  updated: 'changed',
  deleted: 'deleted',
  completed: 'completed',
  reopened: 'reopened',
  moved: 'moved',
  archived: 'archived',
  unarchived: 'unarchived',
  restored: 'restored',
  scanned: 'scanned',
  added: 'added',
  closed: 'closed',
  connected: 'connected',
  disconnected: 'disconnected',
  invited: 'invited',
  revoked: 'revoked',
  rotated: 'rotated',
}

const EN_THINGS: Record<Thing, string> = {
  company: 'the company',
  user: '',
  token: 'the access token',
  key: 'the key',
  webhook: 'the webhook',
  calendar: 'the calendar',
  project: 'the project',
  task_list: 'the task list',
  task: 'the task',
  discussion: 'the discussion',
  folder: 'the folder',
  file: 'the file',
  event: 'the event',
}

const EN_SPECIAL: Record<Special, string> = {
  signedIn: '{who} signed in',
  signedOut: '{who} signed out',
  endedSession: '{who} ended a session begun with {what}',
  displacedSession: '{who} signed in once more, which ended the oldest session',
  linkedAccount: '{who} came from the identity provider for the first time, with the account {what}',
  undidLink: '{who} undid the link with the account {what} of the identity provider',
  acceptedInvitation: '{who} accepted the invitation',
  addedMember: '{who} added {what} to {project}',
  removedMember: '{who} removed {what} from {project}',
  sentAgain: '{who} sent deliveries to the webhook {what} again',
  connectedApp: '{who} connected the app {what}',
  endedApp: 'The access of the app {what} ended',
  rotatedSecret: '{who} rotated the secret of the webhook {what}',
  changedCredentials: '{who} changed the credentials of the calendar {what}',
  askedForScan: '{who} had the file {what} scanned again',
  switchedOffFailing: 'Diwan switched the webhook {what} off after 5 days of failures',
  switchedOffGone: 'Diwan switched the webhook {what} off because its receiver answered 410',
  removedCompany: 'Diwan removed the company {what}, whose time to be reopened had passed',
  startedDiscussion: '{who} started the discussion {what} in {project}',
  replied: '{who} replied in the discussion {what} in {project}',
  commented: '{who} commented on {parent} {what}',
  changedComment: '{who} changed a comment on {parent} {what}',
  deletedComment: '{who} deleted a comment on {parent} {what}',
  didSomething: '{who} changed something',
}

/**
 * What happened, as a passive verb, which agrees with the thing and never with the person: whether that is a woman or a man is not
 * known. The first form is for masculine nouns. In some, a noun of our own follows the verb, and both forms are the same.
 */
const AR_VERBS: Record<Verb, [masculine: string, feminine: string]> = {
  created: ['أُنشئ', 'أُنشئت'],
  updated: ['عُدِّل', 'عُدِّلت'],
  deleted: ['حُذف', 'حُذفت'],
  completed: ['أُكمل', 'أُكملت'],
  reopened: ['أُعيد فتح', 'أُعيد فتح'],
  moved: ['نُقل', 'نُقلت'],
  archived: ['أُرشف', 'أُرشفت'],
  unarchived: ['أُلغيت أرشفة', 'أُلغيت أرشفة'],
  restored: ['استُعيد', 'استُعيدت'],
  scanned: ['فُحص', 'فُحصت'],
  added: ['أُضيف', 'أُضيفت'],
  closed: ['أُغلق', 'أُغلقت'],
  connected: ['رُبط', 'رُبطت'],
  disconnected: ['فُصل', 'فُصلت'],
  invited: ['دُعي', 'دُعيت'],
  revoked: ['أُبطل', 'أُبطلت'],
  rotated: ['جُدِّد', 'جُدِّدت'],
}

const AR_THINGS: Record<Thing, string> = {
  company: 'الشركة',
  user: 'الشخص',
  token: 'رمز الوصول',
  key: 'المفتاح',
  webhook: 'خطاف الويب',
  calendar: 'التقويم',
  project: 'المشروع',
  task_list: 'قائمة المهام',
  task: 'المهمة',
  discussion: 'النقاش',
  folder: 'المجلد',
  file: 'الملف',
  event: 'الموعد',
}
const AR_FEMININE = new Set<Thing>(['company', 'task_list', 'task'])

const AR_SPECIAL: Record<Special, string> = {
  signedIn: 'سُجِّل الدخول {who}',
  signedOut: 'سُجِّل الخروج {who}',
  endedSession: 'أُنهيت جلسة بدأت عبر {what} {who}',
  displacedSession: 'سُجِّل دخول آخر {who} فانتهت أقدم جلسة',
  linkedAccount: 'سُجِّل الدخول عبر موفّر الهوية أول مرة بالحساب {what} {who}',
  undidLink: 'فُكّ الربط بالحساب {what} لدى موفّر الهوية {who}',
  acceptedInvitation: 'قُبلت الدعوة {who}',
  addedMember: 'أُضيف الشخص {what} إلى {project} {who}',
  removedMember: 'أُزيل الشخص {what} من {project} {who}',
  sentAgain: 'أُعيد تسليم رسائل إلى خطاف الويب {what} {who}',
  connectedApp: 'رُبط التطبيق {what} {who}',
  endedApp: 'انتهى وصول التطبيق {what}',
  rotatedSecret: 'جُدِّد سر خطاف الويب {what} {who}',
  changedCredentials: 'عُدِّلت بيانات دخول التقويم {what} {who}',
  askedForScan: 'طُلب فحص الملف {what} من جديد {who}',
  switchedOffFailing: 'أوقف ديوان خطاف الويب {what} بعد 5 أيام من الفشل',
  switchedOffGone: 'أوقف ديوان خطاف الويب {what} لأن المستقبِل أجاب بالرمز 410',
  removedCompany: 'أزال ديوان الشركة {what} بعد انقضاء مهلة إعادة فتحها',
  startedDiscussion: 'فُتح النقاش {what} في المشروع {project} {who}',
  replied: 'أُضيف رد في النقاش {what} في المشروع {project} {who}',
  commented: 'أُضيف تعليق على {parent} {what} {who}',
  changedComment: 'عُدِّل تعليق على {parent} {what} {who}',
  deletedComment: 'حُذف تعليق على {parent} {what} {who}',
  didSomething: 'جرى تغيير {who}',
}

/** A few are not told as the others are. */
const EN_OWN: Partial<Record<Deed, string>> = {
  'created file': '{who} added the file {what}',
  'updated user': '{who} changed the account of {what}',
  'updated company': '{who} changed the settings of the company {what}',
}
const AR_OWN: Partial<Record<Deed, string>> = {
  'created file': 'أُضيف الملف {what} {who}',
  'updated user': 'عُدِّل حساب الشخص {what} {who}',
  'updated company': 'عُدِّلت إعدادات الشركة {what} {who}',
}

function partsOf(deed: Deed): [Verb, Thing] {
  return deed.split(' ') as [Verb, Thing]
}

/**
 * What was done to what, in a sentence: the one home of the sentences of the audit, of the changes and of the timeline. What the
 * server may know one day and we do not yet is `didSomething`.
 */
export const useDeedWords = words<DeedWords>({
  en: {
    sentence: deed => {
      if (deed in EN_SPECIAL) return EN_SPECIAL[deed as Special]
      const [verb, thing] = partsOf(deed)
      return EN_OWN[deed] ?? ['{who}', EN_VERBS[verb], EN_THINGS[thing], '{what}'].filter(Boolean).join(' ')
    },
    who: { person: '{name}', key: 'The key {name}', app: 'The app {name}', operator: 'The operator', diwan: 'Diwan' },
    refusal: '{who} may not {operation}',
    refused: { person: '{name}', key: 'The key {name}', app: 'The app {name}', operator: 'The operator' },
    thing: EN_THINGS,
  },
  ar: {
    sentence: deed => {
      if (deed in AR_SPECIAL) return AR_SPECIAL[deed as Special]
      const [verb, thing] = partsOf(deed)
      return AR_OWN[deed] ?? `${AR_VERBS[verb][AR_FEMININE.has(thing) ? 1 : 0]} ${AR_THINGS[thing]} {what} {who}`
    },
    who: {
      person: 'بواسطة {name}',
      key: 'بالمفتاح {name}',
      app: 'بالتطبيق {name}',
      operator: 'بواسطة المشغِّل',
      diwan: 'تلقائيًّا',
    },
    refusal: 'لا يُسمح {who} ب{operation}',
    refused: { person: 'لـ{name}', key: 'للمفتاح {name}', app: 'للتطبيق {name}', operator: 'للمشغِّل' },
    thing: AR_THINGS,
  },
})
