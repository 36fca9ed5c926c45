import type { Language } from '../../domain/languages.ts'
import { obstruction } from '../../domain/ports/virus-scanner.ts'

export interface Scanned {
  scan_finding?: string | null
}

/** What follows the name of a file that the virus scan could not judge. */
export const UNSCANNED: Record<Language, (scanned: Scanned) => string> = {
  en: ({ scan_finding = null }) =>
    `${obstruction('failed', scan_finding).en}. Nobody can download it. Its content is kept, and an administrator can have it scanned again.`,
  ar: ({ scan_finding = null }) =>
    `${obstruction('failed', scan_finding).ar}. لا يمكن لأحد تنزيله، ومحتواه محفوظ، ويمكن لأحد المسؤولين طلب فحصه من جديد.`,
}
