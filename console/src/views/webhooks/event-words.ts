import type { WebhookKind } from '../../api/types.ts'
import { words } from '../../words/language.ts'

type KindOf<E> = E extends `${infer K}.${string}` ? K : never
type ChangeOf<E> = E extends `${string}.${infer C}` ? C : never

export type EventKind = KindOf<WebhookKind>
export type EventChange = Exclude<ChangeOf<WebhookKind>, '*'>

interface EventWords {
  kinds: Record<EventKind, string>
  changes: Record<EventChange, string>
}

/** What can happen to what, in words. */
export const useEventWords = words<EventWords>({
  en: {
    kinds: {
      project: 'Projects',
      task_list: 'Task lists',
      task: 'Tasks',
      comment: 'Comments',
      discussion: 'Discussions',
      folder: 'Folders',
      file: 'Files',
    },
    changes: {
      created: 'Created',
      updated: 'Updated',
      deleted: 'Deleted',
      completed: 'Completed',
      reopened: 'Reopened',
      moved: 'Moved',
      archived: 'Archived',
      unarchived: 'Unarchived',
      restored: 'Restored',
      scanned: 'Scanned for viruses',
    },
  },
  ar: {
    kinds: {
      project: 'المشاريع',
      task_list: 'قوائم المهام',
      task: 'المهام',
      comment: 'التعليقات',
      discussion: 'النقاشات',
      folder: 'المجلدات',
      file: 'الملفات',
    },
    changes: {
      created: 'إنشاء',
      updated: 'تعديل',
      deleted: 'حذف',
      completed: 'إنجاز',
      reopened: 'إعادة فتح',
      moved: 'نقل',
      archived: 'أرشفة',
      unarchived: 'إلغاء الأرشفة',
      restored: 'استعادة',
      scanned: 'فحص الفيروسات',
    },
  },
})
