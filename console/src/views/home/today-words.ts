import type { ChangedKind, ChangeName } from '../../api/types.ts'
import { count, words } from '../../words/language.ts'

type Verbs = Record<ChangeName, string>
type Kinds = Record<ChangedKind, (n: number) => string>

const VERBS: { en: Verbs; ar: Verbs } = {
  en: {
    created: 'added',
    updated: 'changed',
    deleted: 'deleted',
    completed: 'completed',
    reopened: 'reopened',
    moved: 'moved',
    archived: 'archived',
    unarchived: 'unarchived',
    restored: 'restored',
    scanned: 'scanned',
  },
  ar: {
    created: 'إضافة',
    updated: 'تعديل',
    deleted: 'حذف',
    completed: 'إكمال',
    reopened: 'إعادة فتح',
    moved: 'نقل',
    archived: 'أرشفة',
    unarchived: 'إلغاء أرشفة',
    restored: 'استعادة',
    scanned: 'فحص',
  },
}

const english = (one: string, other: string) => (n: number) => count('en', n, { one, other: `# ${other}` })
const arabic = (one: string, two: string, few: string, many: string) => (n: number) =>
  count('ar', n, { one, two, few: `# ${few}`, many: `# ${many}`, other: `# ${one}` })

/** In Arabic a verb would have to agree with whoever did it, so what was done is a noun, and who did it follows. */
export const useTodayWords = words({
  en: {
    title: 'Today',
    nothing: 'Nothing has changed today.',
    did: (who: string | null, change: ChangeName, what: string) =>
      `${who ?? 'The service itself'} ${VERBS.en[change]} ${what}`,
    inProject: 'in',
    byWhom: (_who: string | null): string => '',
    kinds: {
      project: english('a project', 'projects'),
      task_list: english('a task list', 'task lists'),
      task: english('a task', 'tasks'),
      comment: english('a comment', 'comments'),
      discussion: english('a discussion', 'discussions'),
      folder: english('a folder', 'folders'),
      file: english('a file', 'files'),
    } satisfies Kinds as Kinds,
  },
  ar: {
    title: 'اليوم',
    nothing: 'لم يتغير شيء اليوم.',
    did: (_who, change, what) => `${VERBS.ar[change]} ${what}`,
    inProject: 'في',
    byWhom: who => `بواسطة ${who ?? 'الخدمة نفسها'} ·`,
    kinds: {
      project: arabic('مشروع', 'مشروعين', 'مشاريع', 'مشروعًا'),
      task_list: arabic('قائمة مهام', 'قائمتي مهام', 'قوائم مهام', 'قائمة مهام'),
      task: arabic('مهمة', 'مهمتين', 'مهام', 'مهمة'),
      comment: arabic('تعليق', 'تعليقين', 'تعليقات', 'تعليقًا'),
      discussion: arabic('نقاش', 'نقاشين', 'نقاشات', 'نقاشًا'),
      folder: arabic('مجلد', 'مجلدين', 'مجلدات', 'مجلدًا'),
      file: arabic('ملف', 'ملفين', 'ملفات', 'ملفًّا'),
    },
  },
})
