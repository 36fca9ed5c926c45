import type { Language } from '../../domain/languages.ts'
import { NO_ANSWER, type Obstacle, obstacleOf } from '../../domain/ports/virus-scanner.ts'

export interface Scanned {
  scan_finding?: string | null
  scan_message?: string | null
}

const IN_ARABIC: Record<Obstacle, string> = {
  Bomb: 'يتضخّم عند فكّه إلى ما يفوق حجمه بكثير، فتعذّر فحص محتواه',
  Broken: 'تالف أو ناقص، فتعذّر فحص محتواه',
  Encrypted: 'محمي بكلمة مرور، فتعذّر فحص محتواه',
  TooDeep: 'فيه ملفات مضغوطة متداخلة أكثر مما يمكن فحصه',
  TooLong: 'يستغرق فحصه وقتًا أطول مما يُسمح به',
  TooMany: 'فيه من المحتوى أكثر مما يمكن فحصه',
  Unsupported: 'مضغوط بطريقة لا يمكن فحص محتواها',
}

/** What follows the name of a file that the virus scan could not judge. */
export const UNSCANNED: Record<Language, (scanned: Scanned) => string> = {
  en: ({ scan_message }) =>
    `${scan_message ?? NO_ANSWER}. Nobody can download it. Its content is kept, and an administrator can have it scanned again.`,
  ar({ scan_finding = null }) {
    const obstacle = obstacleOf(scan_finding)
    const reason = obstacle ? IN_ARABIC[obstacle] : 'لم يُفحص لأن فاحص الفيروسات لم يُجب'
    return `${reason}. لا يمكن لأحد تنزيله، ومحتواه محفوظ، ويمكن لأحد المسؤولين طلب فحصه من جديد.`
  },
}
