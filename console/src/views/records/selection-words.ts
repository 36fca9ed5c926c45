import { count, isolate, words } from '../../words/language.ts'

const tasks = (n: number) => count('en', n, { one: '# task', other: '# tasks' })

/** How many tasks something was done to, for a sentence that begins with a verb in the passive. */
const tasksInArabic = (n: number) =>
  count('ar', n, {
    one: 'مهمة واحدة',
    two: 'مهمتين',
    few: '# مهام',
    many: '# مهمة',
    other: '# مهمة',
  })

/** What people read who do something with several tasks. */
export const useSelectionWords = words({
  en: {
    begin: 'Select tasks',
    end: 'Done selecting',
    select: (title: string) => `Select ${isolate(title)}`,
    bar: 'Selected tasks',
    selected: (n: number) => count('en', n, { zero: 'None selected', one: '# selected', other: '# selected' }),
    none: 'Choose tasks to do something with all of them.',
    complete: 'Complete',
    assign: 'Assign',
    due: 'Due date',
    move: 'Move',
    remove: 'Delete',
    clear: 'Clear the selection',

    assignTitle: (n: number) => `Assign ${tasks(n)}`,
    dueTitle: (n: number) => `Due date of ${tasks(n)}`,
    dueHint: 'Leave it empty for no due date.',
    moveTitle: (n: number) => `Move ${tasks(n)}`,
    removeTitle: (n: number) => `Delete ${tasks(n)}?`,
    removeMeans: (n: number) =>
      count('en', n, {
        one: 'The task and its comments are gone for good.',
        other: 'The tasks and their comments are gone for good.',
      }),
    project: 'Project',
    chooseList: 'Choose a list',
    noLists: 'This project has no task lists yet.',
    anotherProject: 'In another project…',

    completed: (n: number) => `Completed ${tasks(n)}.`,
    changed: (n: number) => `Changed ${tasks(n)}.`,
    moved: (n: number) => `Moved ${tasks(n)}.`,
    removed: (n: number) => `Deleted ${tasks(n)}.`,
    refused: (title: string) => `Nothing was changed, because of ${isolate(title)}:`,
    partly: (done: number, title: string) => `Changed ${tasks(done)}, but not the rest, because of ${isolate(title)}:`,
  },
  ar: {
    begin: 'تحديد مهام',
    end: 'إنهاء التحديد',
    select: (title: string) => `تحديد ${isolate(title)}`,
    bar: 'المهام المحددة',
    selected: (n: number) =>
      count('ar', n, {
        zero: 'لم يُحدَّد شيء',
        one: 'حُدِّدت مهمة واحدة',
        two: 'حُدِّدت مهمتان',
        few: 'حُدِّدت # مهام',
        many: 'حُدِّدت # مهمة',
        other: 'حُدِّدت # مهمة',
      }),
    none: 'يمكن تحديد مهامَّ لإجراء واحد عليها كلها.',
    complete: 'إكمال',
    assign: 'تكليف',
    due: 'الاستحقاق',
    move: 'نقل',
    remove: 'حذف',
    clear: 'إلغاء التحديد',

    assignTitle: (n: number) => `تكليف أحدهم بـ${tasksInArabic(n)}`,
    dueTitle: (n: number) => `تاريخ استحقاق ${tasksInArabic(n)}`,
    dueHint: 'يُترك فارغًا إن لم يكن لها موعد استحقاق.',
    moveTitle: (n: number) => `نقل ${tasksInArabic(n)}`,
    removeTitle: (n: number) => `حذف ${tasksInArabic(n)}؟`,
    removeMeans: (n: number) =>
      count('ar', n, {
        one: 'تُحذف المهمة وتعليقاتها نهائيًّا.',
        two: 'تُحذف المهمتان وتعليقاتهما نهائيًّا.',
        other: 'تُحذف المهام وتعليقاتها نهائيًّا.',
      }),
    project: 'المشروع',
    chooseList: 'اختيار قائمة',
    noLists: 'لا توجد قوائم مهام في هذا المشروع بعد.',
    anotherProject: 'في مشروع آخر…',

    completed: (n: number) => `تم إكمال ${tasksInArabic(n)}.`,
    changed: (n: number) => `تم تعديل ${tasksInArabic(n)}.`,
    moved: (n: number) => `تم نقل ${tasksInArabic(n)}.`,
    removed: (n: number) => `تم حذف ${tasksInArabic(n)}.`,
    refused: (title: string) => `لم يتغيّر شيء، والسبب ${isolate(title)}:`,
    partly: (done: number, title: string) => `تم تعديل ${tasksInArabic(done)} دون البقية، والسبب ${isolate(title)}:`,
  },
})
