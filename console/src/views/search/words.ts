import { words } from '../../words/language.ts'

export const useSearchWords = words({
  en: {
    title: 'Search',
    lead: 'Finds projects, lists, tasks, discussions, folders and files by their names. Arabic is found however it is spelled: with or without marks, hamza or taa marbuta.',
    field: 'What are you looking for?',
    kind: 'Kind',
    allKinds: 'All kinds',
    begin: 'Type a name, or a part of one.',
    nothing: 'Nothing has a name like this. Try fewer or other words.',
    more: 'There are more than are shown.',
    onlyThese: 'Show more of these',
    archived: 'Archived',
    completed: 'Completed',
  },
  ar: {
    title: 'البحث',
    lead: 'يبحث في أسماء المشاريع والقوائم والمهام والنقاشات والمجلدات والملفات، ويجد العربية كيفما كُتبت: بالتشكيل أو دونه، وأيًّا كان رسم الهمزة أو التاء المربوطة.',
    field: 'عمّ تبحث؟',
    kind: 'النوع',
    allKinds: 'كل الأنواع',
    begin: 'يكفي اسم أو جزء منه.',
    nothing: 'لا شيء يحمل اسمًا كهذا. قد تفيد كلمات أقل أو أخرى.',
    more: 'النتائج أكثر من المعروض.',
    onlyThese: 'عرض المزيد من هذا النوع',
    archived: 'مؤرشف',
    completed: 'مكتمل',
  },
})
