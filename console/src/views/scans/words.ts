import type { ScanState } from '../../api/types.ts'
import { isolate, words } from '../../words/language.ts'

interface ScanWords {
  title: string
  lead: string
  empty: string
  state: string
  file: string
  project: string
  size: string
  uploadedBy: string
  scanned: string
  scanAgain: string
  scanning: (name: string) => string
  /** The server gives the reason, beginning with the verb. */
  message: (text: string) => string
  states: Record<ScanState, string>
  means: Record<ScanState, string>
}

export const useScanWords = words<ScanWords>({
  en: {
    title: 'Virus scans',
    lead: 'Every file is scanned before it can be downloaded. Links are not scanned.',
    empty: 'There are no files yet. Files that are uploaded will appear here with the result of their scan.',
    state: 'State',
    file: 'File',
    project: 'Project',
    size: 'Size',
    uploadedBy: 'Uploaded by',
    scanned: 'Scanned',
    scanAgain: 'Scan again',
    scanning: name => `${isolate(name)} is being scanned again.`,
    message: text => `This file ${text}.`,
    states: {
      pending: 'Waiting',
      clean: 'Clean',
      skipped: 'Link',
      infected: 'Infected',
      failed: 'Not scanned',
    },
    means: {
      pending: 'It cannot be downloaded until the scan is done.',
      clean: '',
      skipped: 'A link to somewhere else: there is no content to scan.',
      infected: 'It cannot be scanned again.',
      failed: 'It cannot be downloaded.',
    },
  },
  ar: {
    title: 'فحص الفيروسات',
    lead: 'يُفحص كل ملف قبل أن يصبح تنزيله ممكنًا. لا تُفحص الروابط.',
    empty: 'لا توجد ملفات بعد. ستظهر هنا الملفات المرفوعة مع نتيجة فحصها.',
    state: 'الحالة',
    file: 'الملف',
    project: 'المشروع',
    size: 'الحجم',
    uploadedBy: 'رفعه',
    scanned: 'وقت الفحص',
    scanAgain: 'فحص من جديد',
    scanning: name => `يُفحص ${isolate(name)} من جديد.`,
    message: text => `هذا الملف ${text}.`,
    states: {
      pending: 'في الانتظار',
      clean: 'سليم',
      skipped: 'رابط',
      infected: 'مصاب',
      failed: 'لم يُفحص',
    },
    means: {
      pending: 'لا يمكن تنزيله حتى ينتهي الفحص.',
      clean: '',
      skipped: 'رابط إلى مكان آخر، فلا محتوى له ليُفحص.',
      infected: 'أُزيل محتواه، فلا يمكن فحصه من جديد.',
      failed: 'لا يمكن تنزيله.',
    },
  },
})
