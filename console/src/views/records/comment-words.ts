import { isolate, words } from '../../words/language.ts'

/** What people read who write comments and replies. */
export const useCommentWords = words({
  en: {
    editComment: 'Edit',
    editing: 'Edit your comment',
    attach: 'Attach files',
    dropHere: 'Files can also be dropped or pasted here.',
    uploading: (name: string) => `Uploading ${isolate(name)}`,
    waiting: 'You can send it when the files are uploaded.',
    removeFile: (name: string) => `Remove ${isolate(name)}`,
    cancelUpload: (name: string) => `Stop uploading ${isolate(name)}`,
    tooMany: 'A comment has at most 10 files.',
    download: (name: string) => `Download ${isolate(name)}`,
  },
  ar: {
    editComment: 'تعديل',
    editing: 'تعديل تعليقك',
    attach: 'إرفاق ملفات',
    dropHere: 'يمكنك أيضًا إفلات الملفات أو لصقها هنا.',
    uploading: (name: string) => `جارٍ رفع ${isolate(name)}`,
    waiting: 'يمكنك الإرسال بعد اكتمال رفع الملفات.',
    removeFile: (name: string) => `إزالة ${isolate(name)}`,
    cancelUpload: (name: string) => `إيقاف رفع ${isolate(name)}`,
    tooMany: 'لا يُرفق بالتعليق أكثر من 10 ملفات.',
    download: (name: string) => `تنزيل ${isolate(name)}`,
  },
})
