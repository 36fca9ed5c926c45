import type { Operation, OperationLevel, Right } from '../api/types.ts'
import { words } from './language.ts'

type ResourceOf<O> = O extends `${infer R}:${string}` ? R : never

export type Resource = ResourceOf<Operation>
export type Destructive = Extract<Operation, `${string}:destructive`>

/** What keys can be allowed to do, in words. Nothing that the server knows can be missing here. */
interface AccessWords {
  resources: Record<Resource, string>
  levels: Record<OperationLevel, string>
  destroys: Record<Destructive, string>
  rights: Record<Right, { name: string; means: string }>
}

export const useAccessWords = words<AccessWords>({
  en: {
    resources: {
      account: 'Account and search',
      projects: 'Projects',
      task_lists: 'Task lists',
      tasks: 'Tasks',
      discussions: 'Discussions',
      comments: 'Comments',
      files: 'Files and folders',
      events: 'Calendar events',
    },
    levels: { read: 'Read', write: 'Write', destructive: 'Delete' },
    destroys: {
      'projects:destructive':
        'Deletes projects with everything in them. They go to the trash, from which they can be restored.',
      'task_lists:destructive':
        'Deletes task lists with all their tasks and comments, permanently. Also needs the right to delete any task or list.',
      'tasks:destructive': 'Deletes tasks with their comments, permanently.',
      'discussions:destructive':
        'Deletes discussions with their replies. They go to the trash, from which they can be restored.',
      'files:destructive':
        'Deletes files permanently. With the right to delete any file, also whole folders and everything in them.',
      'events:destructive':
        'Deletes calendar events permanently. Everyone who was invited is notified, and connected calendars drop the event.',
    },
    rights: {
      manage_files: { name: 'Manage folders', means: 'The key can create, rename and move folders.' },
      delete_any_task_or_list: {
        name: 'Delete any task or list',
        means:
          'The key can delete whole task lists, and tasks that somebody else created. Without this right, only tasks that were created in the same person’s name.',
      },
      delete_any_file: {
        name: 'Delete any file',
        means:
          'The key can delete whole folders, and files that somebody else uploaded. Without this right, only files that were uploaded in the same person’s name.',
      },
    },
  },
  ar: {
    resources: {
      account: 'الحساب والبحث',
      projects: 'المشاريع',
      task_lists: 'قوائم المهام',
      tasks: 'المهام',
      discussions: 'النقاشات',
      comments: 'التعليقات',
      files: 'الملفات والمجلدات',
      events: 'مواعيد التقويم',
    },
    levels: { read: 'قراءة', write: 'كتابة', destructive: 'حذف' },
    destroys: {
      'projects:destructive': 'يحذف المشاريع بكل ما فيها. تنتقل إلى سلة المحذوفات ويمكن استعادتها منها.',
      'task_lists:destructive':
        'يحذف قوائم المهام بكل مهامها وتعليقاتها حذفًا نهائيًّا. ويتطلب أيضًا صلاحية حذف أي مهمة أو قائمة.',
      'tasks:destructive': 'يحذف المهام مع تعليقاتها حذفًا نهائيًّا.',
      'discussions:destructive': 'يحذف النقاشات مع ردودها. تنتقل إلى سلة المحذوفات ويمكن استعادتها منها.',
      'files:destructive': 'يحذف الملفات حذفًا نهائيًّا. ومع صلاحية حذف أي ملف يمكنه أيضًا حذف مجلدات كاملة بكل ما فيها.',
      'events:destructive': 'يحذف مواعيد التقويم حذفًا نهائيًّا. يُبلَّغ جميع المدعوين ويُزال الموعد من التقاويم المربوطة.',
    },
    rights: {
      manage_files: { name: 'إدارة المجلدات', means: 'يستطيع المفتاح إنشاء المجلدات وإعادة تسميتها ونقلها.' },
      delete_any_task_or_list: {
        name: 'حذف أي مهمة أو قائمة',
        means:
          'يستطيع المفتاح حذف قوائم كاملة ومهام أنشأها آخرون. ومن دون هذه الصلاحية لا يحذف إلا المهام المنشأة باسم صاحبه.',
      },
      delete_any_file: {
        name: 'حذف أي ملف',
        means:
          'يستطيع المفتاح حذف مجلدات كاملة وملفات رفعها آخرون. ومن دون هذه الصلاحية لا يحذف إلا الملفات المرفوعة باسم صاحبه.',
      },
    },
  },
})
