import type { AuditOutcome, DoerKind, TargetType } from '../../api/types.ts'
import { count, words } from '../../words/language.ts'

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
  changes: string
  details: string
  request: string
  status: string
  inTheNameOf: string
  aProject: string
  added: (n: number) => string
  removed: (n: number) => string
  unlimited: string
  empty: string
  denials: (n: number) => string
  outcomes: Record<AuditOutcome, string>
  kinds: Record<DoerKind, string>
  targets: Record<TargetType, string>
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
    changes: 'Changes',
    details: 'Details',
    request: 'Request',
    status: 'Status',
    inTheNameOf: 'In the name of',
    aProject: 'a project',
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
      sign_in_link: 'Linked account',
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
  },
  ar: {
    title: 'سجل التدقيق',
    lead: 'الاستدعاءات المرفوضة، وكل ما حُذف أو استُعيد، وكل تغيير في الشركة وأشخاصها ومفاتيحها. يُحفظ 400 يوم.',
    serviceTitle: 'سجل تدقيق الخدمة',
    serviceLead: 'ما لا يخص شركة بعينها: الشركات التي أُنشئت أو أُغلقت أو أُعيد فتحها أو أُزيلت، وجلسات المشغِّل.',
    outcome: 'النتيجة',
    operation: 'العملية',
    by: 'نُفّذت بواسطة',
    byPerson: 'الشخص',
    byKey: 'مفتاح API',
    anybody: 'الجميع',
    target: 'رقم السجل أو معرّفه',
    export: 'تصدير بصيغة CSV',
    table: 'قيود التدقيق',
    changes: 'التغييرات',
    details: 'التفاصيل',
    request: 'الطلب',
    status: 'رمز الحالة',
    inTheNameOf: 'باسم',
    aProject: 'مشروع',
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
    unlimited: 'بلا حد',
    empty: 'لم يُسجَّل شيء بعد. ستظهر هنا الاستدعاءات المرفوضة والتغييرات.',
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
    kinds: { key: 'مفتاح API', person: 'شخص', operator: 'المشغِّل' },
    targets: {
      company: 'الشركة',
      user: 'الشخص',
      token: 'رمز الوصول',
      session: 'الجلسة',
      sign_in_link: 'الحساب المرتبط',
      key: 'مفتاح API',
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
  },
})
