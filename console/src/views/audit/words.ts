import type { AuditOperation, AuditOutcome, DoerKind, TargetType } from '../../api/types.ts'
import type { Resource } from '../../words/access.ts'
import { count, words } from '../../words/language.ts'

type ResourceOf<O> = O extends `${infer R}:${string}` ? R : never

/** What occurs only in the administration; the rest has the same names as where keys are created. */
type OwnResource = Exclude<ResourceOf<AuditOperation>, Resource>

interface AuditWords {
  title: string
  lead: string
  serviceTitle: string
  serviceLead: string
  outcome: string
  operation: string
  by: string
  byPerson: string
  byKey: string
  anybody: string
  target: string
  export: string
  table: string
  what: string
  changes: string
  details: string
  request: string
  status: string
  onBehalfOf: string
  added: (n: number) => string
  removed: (n: number) => string
  unlimited: string
  empty: string
  denials: (n: number) => string
  outcomes: Record<AuditOutcome, string>
  kinds: Record<DoerKind, string>
  targets: Record<TargetType, string>
  resources: Record<OwnResource, string>
}

export const useAuditWords = words<AuditWords>({
  en: {
    title: 'Audit',
    lead: 'Denied calls, everything that was deleted or restored, and every change to the company, its people and its keys. Kept for 400 days.',
    serviceTitle: 'Service audit',
    serviceLead:
      'What belongs to no company: companies that were created, closed, reopened or removed, and the operator’s sessions.',
    outcome: 'Outcome',
    operation: 'Operation',
    by: 'Done by',
    byPerson: 'Person',
    byKey: 'API key',
    anybody: 'Anybody',
    target: 'Id or ref of the record',
    export: 'Export as CSV',
    table: 'Audit entries',
    what: 'What',
    changes: 'Changes',
    details: 'Details',
    request: 'Request',
    status: 'Status',
    onBehalfOf: 'in the name of',
    added: n => count('en', n, { other: '# added' }),
    removed: n => count('en', n, { other: '# removed' }),
    unlimited: 'no limit',
    empty: 'Nothing has been recorded yet. Denied calls and changes will appear here.',
    denials: n => count('en', n, { one: '# denial', other: '# denials' }),
    outcomes: { denied: 'Denied', allowed: 'Allowed' },
    kinds: { key: 'API key', person: 'Person', operator: 'Operator' },
    targets: {
      company: 'Company',
      user: 'Person',
      token: 'Access token',
      session: 'Session',
      key: 'API key',
      webhook: 'Webhook',
      calendar: 'Calendar',
      project: 'Project',
      task_list: 'Task list',
      task: 'Task',
      discussion: 'Discussion',
      folder: 'Folder',
      file: 'File',
      event: 'Event',
    },
    resources: {
      me: 'Own account',
      catalog: 'Catalog',
      sessions: 'Sessions',
      companies: 'Company',
      users: 'People',
      invitations: 'Invitations',
      tokens: 'Access tokens',
      keys: 'API keys',
      usage: 'Usage',
      audit: 'Audit',
      timeline: 'Timeline',
      notifications: 'Notifications',
      subscriptions: 'Followed discussions',
      trash: 'Trash',
      work: 'Work, read in the console',
      changes: 'Changes',
      members: 'Project members',
      calendars: 'Calendars',
      webhooks: 'Webhooks',
      jobs: 'Failed jobs',
      health: 'Health',
      figures: 'Live figures',
    },
  },
  ar: {
    title: 'سجل التدقيق',
    lead: 'الطلبات المرفوضة، وكل ما حُذف أو استُعيد، وكل تغيير في الشركة وأشخاصها ومفاتيحها. يُحفظ 400 يوم.',
    serviceTitle: 'تدقيق الخدمة',
    serviceLead: 'ما لا يخص شركة بعينها: الشركات التي أُنشئت أو أُغلقت أو أُعيد فتحها أو أُزيلت، وجلسات المشغِّل.',
    outcome: 'النتيجة',
    operation: 'العملية',
    by: 'نُفّذت بواسطة',
    byPerson: 'الشخص',
    byKey: 'مفتاح الواجهة',
    anybody: 'الجميع',
    target: 'رقم السجل أو معرّفه',
    export: 'تصدير بصيغة CSV',
    table: 'قيود التدقيق',
    what: 'الحدث',
    changes: 'التغييرات',
    details: 'التفاصيل',
    request: 'الطلب',
    status: 'رمز الحالة',
    onBehalfOf: 'باسم',
    added: n =>
      count('ar', n, {
        one: 'إضافة واحدة',
        two: 'إضافتان',
        few: '# إضافات',
        many: '# إضافة',
        other: '# إضافة',
      }),
    removed: n =>
      count('ar', n, {
        one: 'إزالة واحدة',
        two: 'إزالتان',
        few: '# إزالات',
        many: '# إزالة',
        other: '# إزالة',
      }),
    unlimited: 'دون حد',
    empty: 'لم يُسجَّل شيء بعد. ستظهر هنا الطلبات المرفوضة والتغييرات.',
    denials: n =>
      count('ar', n, {
        zero: 'لا رفض',
        one: 'رفض واحد',
        two: 'رفضان',
        few: '# حالات رفض',
        many: '# حالة رفض',
        other: '# حالة رفض',
      }),
    outcomes: { denied: 'مرفوض', allowed: 'مسموح' },
    kinds: { key: 'مفتاح', person: 'شخص', operator: 'المشغِّل' },
    targets: {
      company: 'الشركة',
      user: 'الشخص',
      token: 'رمز الوصول',
      session: 'الجلسة',
      key: 'مفتاح الواجهة',
      webhook: 'خطاف الويب',
      calendar: 'التقويم',
      project: 'المشروع',
      task_list: 'قائمة المهام',
      task: 'المهمة',
      discussion: 'النقاش',
      folder: 'المجلد',
      file: 'الملف',
      event: 'الموعد',
    },
    resources: {
      me: 'الحساب الشخصي',
      catalog: 'الفهرس',
      sessions: 'الجلسات',
      companies: 'الشركة',
      users: 'الأشخاص',
      invitations: 'الدعوات',
      tokens: 'رموز الوصول',
      keys: 'مفاتيح الواجهة',
      usage: 'الاستخدام',
      audit: 'سجل التدقيق',
      timeline: 'الخط الزمني',
      notifications: 'الإشعارات',
      subscriptions: 'النقاشات المتابَعة',
      trash: 'سلة المحذوفات',
      work: 'العمل كما يُقرأ في لوحة التحكم',
      changes: 'التغييرات',
      members: 'أعضاء المشاريع',
      calendars: 'التقاويم',
      webhooks: 'خطافات الويب',
      jobs: 'الأعمال الفاشلة',
      health: 'حالة النظام',
      figures: 'مؤشرات حية',
    },
  },
})
