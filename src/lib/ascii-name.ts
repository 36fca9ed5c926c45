import { westernDigits } from './digits.ts'

/** Letters that have no Latin base letter, as they are usually written in Latin ones. */
const LATIN = new Map(
  Object.entries({
    ...{ ا: 'a', ب: 'b', ت: 't', ث: 'th', ج: 'j', ح: 'h', خ: 'kh', د: 'd', ذ: 'dh', ر: 'r', ز: 'z', س: 's', ش: 'sh' },
    ...{ ص: 's', ض: 'd', ط: 't', ظ: 'z', ع: 'a', غ: 'gh', ف: 'f', ق: 'q', ك: 'k', ل: 'l', م: 'm', ن: 'n', ه: 'h' },
    ...{ و: 'w', ي: 'y', ى: 'a', ة: 'a', ٱ: 'a', پ: 'p', چ: 'ch', ژ: 'zh', گ: 'g', ک: 'k', ی: 'y', ڤ: 'v' },
    ...{ ء: '', ـ: '', '،': ',', '؛': ';', '؟': '', ß: 'ss', æ: 'ae', Æ: 'AE', ø: 'o', Ø: 'O', œ: 'oe', Œ: 'OE' },
    ...{ ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ı: 'i', þ: 'th', ð: 'd', '–': '-', '—': '-', '’': "'", '‘': "'" },
  }),
)

/** A name in ASCII, for programs that know nothing else: Arabic in Latin letters, Latin without accents, the rest as `_`. */
export function asciiName(name: string): string {
  const latin = Array.from(westernDigits(name).normalize('NFKD'), character => LATIN.get(character) ?? character)
  const plain = latin
    .join('')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/[^\x20-\x7e]|["\\%/]/gu, '_')
  const dot = plain.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [plain.slice(0, dot), plain.slice(dot)] : [plain, '']
  return (/[a-z\d]/i.test(stem) ? stem : 'file') + (/[a-z\d]/i.test(extension) ? extension : '')
}
