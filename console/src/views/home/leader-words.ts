import { words } from '../../words/language.ts'

/** What leaders read at home. */
export const useLeaderWords = words({
  en: {
    needsDecision: 'Needs a decision',
    firstSteps: 'First steps',
    firstStepsLead: 'Four things that make Diwan useful to a company and its programs.',
    steps: {
      key: 'Create an API key',
      call: 'Make the first call with it',
      webhook: 'Add a webhook, to hear of changes',
      colleague: 'Invite a colleague',
    },
    done: 'Done',
    toDo: 'To do',
    dismiss: 'Hide this list',
  },
  ar: {
    needsDecision: 'بانتظار قرار',
    firstSteps: 'الخطوات الأولى',
    firstStepsLead: 'أربع خطوات يصبح بها ديوان نافعًا لشركتك وبرامجها.',
    steps: {
      key: 'إنشاء مفتاح API',
      call: 'إجراء أول استدعاء به',
      webhook: 'إضافة خطاف ويب لتصلك التغييرات',
      colleague: 'دعوة زميل',
    },
    done: 'أُنجزت',
    toDo: 'لم تُنجز بعد',
    dismiss: 'إخفاء هذه القائمة',
  },
})
