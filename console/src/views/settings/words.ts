import type { Company } from '../../api/types.ts'
import { count, isolate, words } from '../../words/language.ts'

interface SettingsWords {
  title: string
  general: string
  name: string
  zone: string
  zoneHint: string
  language: string
  languageHint: string
  calendar: string
  calendarHint: string
  calendars: Record<'none' | NonNullable<Company['second_calendar']>, string>
  saved: string
  signIn: string
  requireOidc: (name: string) => string
  requireOidcHint: string
  terms: string
  termsLead: string
  plan: string
  api: string
  apiOn: string
  apiOff: string
  notInPlan: string
  allowance: string
  perDay: (n: number) => string
  unlimited: string
  subscription: string
  subscriptions: Record<Company['subscription'], string>
  readOnly: string
  owner: string
  created: string
}

export const useSettingsWords = words<SettingsWords>({
  en: {
    title: 'Settings',
    general: 'Company',
    name: 'Name',
    zone: 'Time zone',
    zoneHint: 'Days begin and end in this zone: for due dates, all-day events and the daily allowance.',
    language: 'Language',
    languageHint: 'Of email to people who are added from now on, unless another is chosen for them.',
    calendar: 'Second calendar',
    calendarHint: 'Shown beside dates in email and in this console.',
    calendars: { none: 'None', 'islamic-umalqura': 'Hijri (Umm al-Qura)' },
    saved: 'The settings have been saved.',
    signIn: 'Sign-in',
    requireOidc: name => `Sign in with ${isolate(name)} only`,
    requireOidcHint: 'Nobody signs in to this console with a token any more. For programs, tokens go on working.',
    terms: 'Plan',
    termsLead: 'Only the operator of Diwan can change these.',
    plan: 'Plan',
    api: 'API access',
    apiOn: 'On',
    apiOff: 'Off',
    notInPlan: 'The plan does not include the API.',
    allowance: 'Daily allowance',
    perDay: n => `${count('en', n, { one: '# call', other: '# calls' })} a day`,
    unlimited: 'No limit',
    subscription: 'Subscription',
    subscriptions: { active: 'Active', read_only: 'Read-only' },
    readOnly: 'The subscription is read-only: the API answers, but nothing can be changed through it.',
    owner: 'Owner',
    created: 'Created',
  },
  ar: {
    title: 'الإعدادات',
    general: 'الشركة',
    name: 'الاسم',
    zone: 'المنطقة الزمنية',
    zoneHint: 'تبدأ الأيام وتنتهي بتوقيت هذه المنطقة: لمواعيد الاستحقاق، ومواعيد اليوم الكامل، والحصة اليومية.',
    language: 'اللغة',
    languageHint: 'لغة البريد إلى من يُضافون من الآن فصاعدًا، ما لم تُختر لهم لغة أخرى.',
    calendar: 'التقويم الثاني',
    calendarHint: 'يظهر بجانب التواريخ في رسائل البريد وفي لوحة التحكم.',
    calendars: { none: 'لا شيء', 'islamic-umalqura': 'الهجري (أم القرى)' },
    saved: 'حُفظت الإعدادات.',
    signIn: 'تسجيل الدخول',
    requireOidc: name => `تسجيل الدخول عبر ${isolate(name)} وحده`,
    requireOidcHint: 'لا يدخل أحد لوحة التحكم برمز وصول بعد ذلك. وتبقى الرموز صالحة للبرامج.',
    terms: 'الباقة',
    termsLead: 'لا يغيّرها إلا مشغِّل ديوان.',
    plan: 'الباقة',
    api: 'الوصول إلى API',
    apiOn: 'مفعَّل',
    apiOff: 'معطَّل',
    notInPlan: 'لا تشمل الباقة API.',
    allowance: 'الحصة اليومية',
    perDay: n =>
      `${count('ar', n, {
        zero: 'لا استدعاءات',
        one: 'استدعاء واحد',
        two: 'استدعاءان',
        few: '# استدعاءات',
        many: '# استدعاءً',
        other: '# استدعاء',
      })} في اليوم`,
    unlimited: 'بلا حد',
    subscription: 'الاشتراك',
    subscriptions: { active: 'نشط', read_only: 'للقراءة فقط' },
    readOnly: 'الاشتراك للقراءة فقط: تبقى القراءة عبر API ممكنة، ولا يمكن تغيير شيء.',
    owner: 'المالك',
    created: 'تاريخ الإنشاء',
  },
})

export const useSandboxWords = words({
  en: {
    title: 'Sandbox',
    lead: 'A company of the same settings with demo records, to try things out in. Its keys work nowhere else, and nobody is sent email from it. It is removed after 30 days without use.',
    make: 'Make a sandbox',
    made: 'The sandbox is ready',
    madeLead: 'You can enter it from here at any time. These two are for programs and the command line.',
    token: 'Your token in the sandbox',
    key: 'An API key of the sandbox',
    enter: 'Enter the sandbox',
    enterHint: 'You leave this company. To come back, sign in again.',
    close: 'Close the sandbox',
    closeLead: 'Its keys stop working, and everything in it is removed after 30 days. You can then make another one.',
    wasClosed: 'The sandbox has been closed.',
  },
  ar: {
    title: 'البيئة التجريبية',
    lead: 'شركة بالإعدادات نفسها وببيانات للتجربة، يمكن تجريب كل شيء فيها. مفاتيحها لا تعمل في غيرها، ولا يُرسَل منها بريد إلى أحد. وتُزال إذا لم تُستخدم 30 يومًا.',
    make: 'إنشاء بيئة تجريبية',
    made: 'البيئة التجريبية جاهزة',
    madeLead: 'يمكنك دخولها من هنا متى شئت. وهذان للبرامج ولسطر الأوامر.',
    token: 'رمزك في البيئة التجريبية',
    key: 'مفتاح API للبيئة التجريبية',
    enter: 'دخول البيئة التجريبية',
    enterHint: 'يعني ذلك مغادرة هذه الشركة. وتكون العودة إليها بتسجيل الدخول من جديد.',
    close: 'إغلاق البيئة التجريبية',
    closeLead: 'تتوقف مفاتيحها عن العمل، ويُزال كل ما فيها بعد 30 يومًا. ويمكنك بعدها إنشاء غيرها.',
    wasClosed: 'أُغلقت البيئة التجريبية.',
  },
})
