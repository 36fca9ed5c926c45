import type { RecordedChange } from '../../api/types.ts'
import { count, words } from '../../words/language.ts'

type Changes = Record<RecordedChange['change'], string>

export const useChangesWords = words({
  en: {
    title: 'Changes',
    lead: 'Who wrote what in the last 30 days, and with which key.',
    found: (n: number) => count('en', n, { one: '# change', other: '# changes' }),
    moreThan: (found: string) => `More than ${found}`,
    none: 'Nothing has changed in the last 30 days.',
    noMatch: 'No change matches these filters.',
    gone: 'no longer exists',
    key: 'Key',
    fields: 'Changed fields',
    inProject: 'in {project}',
    onBehalfOf: 'in the name of {actor}',
    kind: 'Kind',
    allKinds: 'All kinds',
    changes: {
      created: 'Created',
      updated: 'Changed',
      deleted: 'Deleted',
      completed: 'Completed',
      reopened: 'Reopened',
      moved: 'Moved',
      archived: 'Archived',
      unarchived: 'Unarchived',
      restored: 'Restored',
      scanned: 'Scanned',
    } satisfies Changes,
  },
  ar: {
    title: 'التغييرات',
    lead: 'من كتب ماذا في آخر 30 يومًا، وبأي مفتاح.',
    found: (n: number) =>
      count('ar', n, {
        zero: 'لا تغييرات',
        one: 'تغيير واحد',
        two: 'تغييران',
        few: '# تغييرات',
        many: '# تغييرًا',
        other: '# تغيير',
      }),
    moreThan: (found: string) => `أكثر من ${found}`,
    none: 'لم يتغير شيء في آخر 30 يومًا.',
    noMatch: 'لا يوجد تغيير يطابق عوامل التصفية.',
    gone: 'لم يعد موجودًا',
    key: 'المفتاح',
    fields: 'الحقول المعدَّلة',
    inProject: 'في المشروع {project}',
    onBehalfOf: 'باسم {actor}',
    kind: 'النوع',
    allKinds: 'كل الأنواع',
    changes: {
      created: 'إنشاء',
      updated: 'تعديل',
      deleted: 'حذف',
      completed: 'إكمال',
      reopened: 'إعادة فتح',
      moved: 'نقل',
      archived: 'أرشفة',
      unarchived: 'إلغاء الأرشفة',
      restored: 'استعادة',
      scanned: 'فحص',
    } satisfies Changes,
  },
})
