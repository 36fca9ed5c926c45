import { formatNumber, words } from '../../words/language.ts'

export const useRequestsWords = words({
  en: {
    title: 'Requests',
    lead: 'What your programs asked of the API: every call that was refused or failed, and every write. Kept for 7 days, and the newest 20,000.',
    find: 'Find by request ID',
    findHint: 'The X-Request-Id of an answer.',
    key: 'API key',
    status: 'Status',
    statuses: { '2xx': '2xx: succeeded', '4xx': '4xx: refused', '5xx': '5xx: failed' },
    method: 'Method',
    operation: 'Operation',
    request: 'Request',
    answer: 'Answer',
    ms: (n: number) => `${formatNumber('en', n, { maximumFractionDigits: 1 })} ms`,
    id: 'Request ID',
    empty: 'No requests yet. Calls that are refused, fail or write something show up here within seconds.',
    notFound:
      'No such request in the last 7 days. Reads that succeeded are not logged, and a call shows up a second or two after its answer.',
  },
  ar: {
    title: 'سجل الطلبات',
    lead: 'ما طلبته برامجك عبر API: كل استدعاء رُفض أو فشل، وكل كتابة. يُحفظ 7 أيام، وبحد أقصى أحدث 20,000 طلب.',
    find: 'البحث بمعرّف الطلب',
    findHint: 'قيمة \u2068X-Request-Id\u2069 في الرد.',
    key: 'مفتاح API',
    status: 'رمز الحالة',
    statuses: { '2xx': '\u20682xx\u2069: ناجحة', '4xx': '\u20684xx\u2069: مرفوضة', '5xx': '\u20685xx\u2069: فاشلة' },
    method: 'الطريقة',
    operation: 'العملية',
    request: 'الطلب',
    answer: 'الرد',
    ms: (n: number) => `${formatNumber('ar', n, { maximumFractionDigits: 1 })} م.ث`,
    id: 'معرّف الطلب',
    empty: 'لا توجد طلبات بعد. يظهر هنا خلال ثوانٍ كل استدعاء يُرفض أو يفشل أو يكتب شيئًا.',
    notFound:
      'لا يوجد طلب بهذا المعرّف خلال آخر 7 أيام. لا تُسجَّل القراءات الناجحة، ويظهر الاستدعاء بعد ثانية أو ثانيتين من الرد عليه.',
  },
})
