import { words } from '../words/language.ts'

/** What is said of texts that were written and not sent yet. */
export const useUnsentWords = words({
  en: {
    unsent: 'Not sent yet.',
    unsaved: 'Not saved yet.',
    save: 'Save',
    discard: 'Discard',
  },
  ar: {
    unsent: 'لم يُرسل بعد.',
    unsaved: 'لم يُحفظ بعد.',
    save: 'حفظ',
    discard: 'تجاهل',
  },
})
