import { words } from '../words/language.ts'

/** Why a file is not even sent. */
export const useUploadWords = words({
  en: {
    tooLarge: 'This file is too large. A file has at most 5 MB.',
    unreadable: 'This cannot be read. It may be a folder, or it was changed or deleted in the meantime.',
  },
  ar: {
    tooLarge: 'حجم هذا الملف أكبر من المسموح. الحد الأقصى لحجم الملف 5 ميغابايت.',
    unreadable: 'تتعذّر قراءته. قد يكون مجلدًا، أو ربما تغيّر أو حُذف في هذه الأثناء.',
  },
})
