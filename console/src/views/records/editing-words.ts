import { count, isolate, words } from '../../words/language.ts'

/** What people read who change projects, lists and discussions in place. */
export const useEditingWords = words({
  en: {
    editProject: 'Edit the project',
    editList: (title: string) => `Edit ${isolate(title)}`,
    editDiscussion: 'Edit the discussion',
    doneEditing: 'Done editing',
    savedAsYouGo: 'What you change is saved when you leave the field.',

    name: 'Name',
    description: 'Description',
    starts: 'Starts',
    ends: 'Ends',
    seenBy: 'Seen by',
    everyone: 'Everyone (public)',
    membersOnly: 'Members only (private)',
    seesAll: 'Owners and managers see every project.',
    chooseMembers: 'Choose the members',

    archive: 'Archive',
    archiveMeans: 'Nothing in it can be changed until it is brought back.',
    unarchive: 'Bring back from the archive',
    archived: (name: string) => `${isolate(name)} is archived.`,
    unarchived: (name: string) => `${isolate(name)} is open again.`,
    deleteProject: 'Delete the project',
    deleted: (name: string) => `${isolate(name)} was deleted.`,

    title: 'Title',
    message: 'Message',
    priority: 'Priority',
    noPriority: 'None',
    notes: 'Notes',
    deleteList: 'Delete the list',
    deleteListTitle: 'Delete this list?',
    deleteListMeans: (n: number) =>
      count('en', n, {
        one: 'The list and its # task are gone for good.',
        other: 'The list and its # tasks are gone for good.',
      }),
    deleteEmptyListMeans: 'The list is gone for good.',
    deleteVerb: 'Delete',
    firstList: 'A list keeps tasks that belong together. Add the first one below.',

    deleteDiscussion: 'Delete the discussion',
    deleteDiscussionTitle: 'Delete this discussion?',
    deleteDiscussionMeans: 'The discussion and its replies disappear. Only an owner or a manager can restore them.',
  },
  ar: {
    editProject: 'تعديل المشروع',
    editList: (title: string) => `تعديل ${isolate(title)}`,
    editDiscussion: 'تعديل النقاش',
    doneEditing: 'إنهاء التعديل',
    savedAsYouGo: 'يُحفظ كل تغيير عند مغادرة الحقل.',

    name: 'الاسم',
    description: 'الوصف',
    starts: 'البداية',
    ends: 'النهاية',
    seenBy: 'من يراه',
    everyone: 'كل من في الشركة (عام)',
    membersOnly: 'أعضاؤه فقط (خاص)',
    seesAll: 'يرى المالكون والمديرون كل المشاريع.',
    chooseMembers: 'اختيار الأعضاء',

    archive: 'أرشفة',
    archiveMeans: 'لا يمكن تعديل شيء فيه إلى أن يُخرَج من الأرشيف.',
    unarchive: 'إخراج من الأرشيف',
    archived: (name: string) => `تمت أرشفة ${isolate(name)}.`,
    unarchived: (name: string) => `أُخرج ${isolate(name)} من الأرشيف.`,
    deleteProject: 'حذف المشروع',
    deleted: (name: string) => `تم حذف ${isolate(name)}.`,

    title: 'العنوان',
    message: 'الرسالة',
    priority: 'الأولوية',
    noPriority: 'بلا أولوية',
    notes: 'ملاحظات',
    deleteList: 'حذف القائمة',
    deleteListTitle: 'حذف هذه القائمة؟',
    deleteListMeans: (n: number) =>
      count('ar', n, {
        one: 'تُحذف القائمة والمهمة التي فيها نهائيًّا.',
        two: 'تُحذف القائمة والمهمتان اللتان فيها نهائيًّا.',
        few: 'تُحذف القائمة و# مهام فيها نهائيًّا.',
        many: 'تُحذف القائمة و# مهمة فيها نهائيًّا.',
        other: 'تُحذف القائمة و# مهمة فيها نهائيًّا.',
      }),
    deleteEmptyListMeans: 'تُحذف القائمة نهائيًّا.',
    deleteVerb: 'حذف',
    firstList: 'تجمع القائمة مهامَّ يتصل بعضها ببعض. تُضاف القائمة الأولى أدناه.',

    deleteDiscussion: 'حذف النقاش',
    deleteDiscussionTitle: 'حذف هذا النقاش؟',
    deleteDiscussionMeans: 'يختفي النقاش وردوده، ولا يستعيدها إلا مالك أو مدير.',
  },
})
