import type { Trashed } from '../../api/types.ts'
import { isolate, words } from '../../words/language.ts'

interface TrashWords {
  title: string
  lead: string
  empty: string
  table: string
  what: string
  kind: string
  deleted: string
  deletedBy: string
  restore: string
  restored: (title: string) => string
  types: Record<Trashed['type'], string>
}

export const useTrashWords = words<TrashWords>({
  en: {
    title: 'Trash',
    lead: 'Deleted projects and discussions. Restoring one brings back everything in it, at the same address.',
    empty: 'The trash is empty. Deleted projects and discussions will appear here.',
    table: 'What can be restored',
    what: 'Title',
    kind: 'Kind',
    deleted: 'Deleted',
    deletedBy: 'Deleted by',
    restore: 'Restore',
    restored: title => `${isolate(title)} has been restored.`,
    types: { project: 'Project', discussion: 'Discussion' },
  },
  ar: {
    title: 'سلة المحذوفات',
    lead: 'المشاريع والنقاشات المحذوفة. تعيد الاستعادة كل ما فيها إلى عنوانه السابق.',
    empty: 'سلة المحذوفات فارغة. ستظهر هنا المشاريع والنقاشات المحذوفة.',
    table: 'ما يمكن استعادته',
    what: 'العنوان',
    kind: 'النوع',
    deleted: 'وقت الحذف',
    deletedBy: 'حذفه',
    restore: 'استعادة',
    restored: title => `تمت استعادة ${isolate(title)}.`,
    types: { project: 'مشروع', discussion: 'نقاش' },
  },
})
