import { isolate, words } from '../../words/language.ts'

export const useMemberWords = words({
  en: {
    title: 'Members',
    lead: 'The people who see this private project. Owners and managers see every project in this console.',
    publicNote:
      'This project is public: everyone in the company sees it. The members count again when it becomes private.',
    empty: 'Nobody is a member yet. Add the people who should see this project.',
    role: 'Role',
    person: 'Person',
    choose: 'Choose a person',
    add: 'Add',
    added: (name: string) => `${isolate(name)} is now a member.`,
    remove: 'Remove',
    removed: (name: string) => `${isolate(name)} is no longer a member.`,
  },
  ar: {
    title: 'الأعضاء',
    lead: 'الأشخاص الذين يرون هذا المشروع الخاص. يرى المالكون والمديرون كل المشاريع في لوحة التحكم.',
    publicNote: 'هذا المشروع عام: يراه كل من في الشركة. تعود العضوية إلى أثرها حين يصبح خاصًّا.',
    empty: 'لا أعضاء بعد. يُضاف هنا من ينبغي أن يروا هذا المشروع.',
    role: 'الدور',
    person: 'الشخص',
    choose: 'اختيار شخص',
    add: 'إضافة',
    added: (name: string) => `تمت إضافة ${isolate(name)} إلى الأعضاء.`,
    remove: 'إزالة',
    removed: (name: string) => `لم يعد ${isolate(name)} عضوًا.`,
  },
})
