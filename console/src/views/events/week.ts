/** How the week is divided: days are numbered from Monday (1) to Sunday (7), as `Intl` does. */
export interface Week {
  firstDay: number
  weekend: readonly number[]
}

/**
 * The countries of the zones in which companies are whose week differs from the one that most of the world has. A company has no
 * country of its own, but its zone is that of one.
 */
const COUNTRIES: Record<string, string> = {
  'Asia/Riyadh': 'SA',
  'Asia/Aden': 'YE',
  'Asia/Kuwait': 'KW',
  'Asia/Qatar': 'QA',
  'Asia/Bahrain': 'BH',
  'Asia/Muscat': 'OM',
  'Asia/Dubai': 'AE',
  'Asia/Amman': 'JO',
  'Asia/Baghdad': 'IQ',
  'Asia/Damascus': 'SY',
  'Asia/Tehran': 'IR',
  'Asia/Kabul': 'AF',
  'Africa/Cairo': 'EG',
  'Africa/Tripoli': 'LY',
  'Africa/Khartoum': 'SD',
  'Africa/Algiers': 'DZ',
  'Africa/Johannesburg': 'ZA',
  'Asia/Jerusalem': 'IL',
  'Asia/Karachi': 'PK',
  'Asia/Kolkata': 'IN',
  'Asia/Calcutta': 'IN',
  'Asia/Dhaka': 'BD',
  'Asia/Bangkok': 'TH',
  'Asia/Manila': 'PH',
  'Asia/Jakarta': 'ID',
  'Asia/Singapore': 'SG',
  'Asia/Hong_Kong': 'HK',
  'Asia/Taipei': 'TW',
  'Asia/Seoul': 'KR',
  'Asia/Tokyo': 'JP',
  'America/New_York': 'US',
  'America/Detroit': 'US',
  'America/Chicago': 'US',
  'America/Denver': 'US',
  'America/Phoenix': 'US',
  'America/Los_Angeles': 'US',
  'America/Anchorage': 'US',
  'Pacific/Honolulu': 'US',
  'America/Toronto': 'CA',
  'America/Winnipeg': 'CA',
  'America/Edmonton': 'CA',
  'America/Vancouver': 'CA',
  'America/Halifax': 'CA',
  'America/Mexico_City': 'MX',
  'America/Bogota': 'CO',
  'America/Lima': 'PE',
  'America/Sao_Paulo': 'BR',
}

/** The world, in the language of locales. */
const ANYWHERE = '001'

const MONDAY_TO_SUNDAY: Week = { firstDay: 1, weekend: [6, 7] }
const FROM_SATURDAY: Week = { firstDay: 6, weekend: [5, 6] }
const FROM_SUNDAY: Week = { firstDay: 7, weekend: [6, 7] }

/** For browsers that do not know it. Wherever else, the week begins on Monday or Sunday and ends with Saturday and Sunday. */
const WEEKS: Record<string, Week> = {
  SA: { firstDay: 7, weekend: [5, 6] },
  YE: { firstDay: 7, weekend: [5, 6] },
  IL: { firstDay: 7, weekend: [5, 6] },
  AE: MONDAY_TO_SUNDAY,
  IR: { firstDay: 6, weekend: [5] },
  IN: { firstDay: 7, weekend: [7] },
  ...Object.fromEntries(
    ['KW', 'QA', 'BH', 'OM', 'JO', 'IQ', 'SY', 'EG', 'LY', 'SD', 'DZ'].map(country => [country, FROM_SATURDAY]),
  ),
}

/** Newer browsers have a method, some older ones a property, and the oldest neither. */
interface KnowsWeeks {
  getWeekInfo?: () => Week
  weekInfo?: Week
}

/** The week of the country that a zone is in. */
export function weekIn(zone: string): Week {
  const country = COUNTRIES[zone] ?? ANYWHERE
  return knownWeek(new Intl.Locale(`und-${country}`) as KnowsWeeks) ?? ownWeek(country)
}

function knownWeek(locale: KnowsWeeks): Week | undefined {
  return locale.getWeekInfo?.() ?? locale.weekInfo
}

/** The same from our own table. */
export function ownWeek(country: string): Week {
  return WEEKS[country] ?? (country === ANYWHERE ? MONDAY_TO_SUNDAY : FROM_SUNDAY)
}
