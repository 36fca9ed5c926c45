import type { ScanState } from '../api/types.ts'
import type { Tone } from '../parts/text.tsx'
import { words } from './language.ts'

/** What the virus scan says about a file, in a word. */
export const useScanStates = words<Record<ScanState, string>>({
  en: { pending: 'Being scanned', clean: 'Clean', skipped: 'Not scanned', infected: 'Infected', failed: 'Scan failed' },
  ar: { pending: 'قيد الفحص', clean: 'سليم', skipped: 'لم يُفحص', infected: 'مصاب', failed: 'فشل الفحص' },
})

export const SCAN_TONES: Record<ScanState, Tone> = {
  pending: 'plain',
  clean: 'good',
  skipped: 'plain',
  infected: 'bad',
  failed: 'warn',
}
