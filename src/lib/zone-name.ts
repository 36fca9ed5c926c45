/** In the English of no country in particular, a zone has a name and no abbreviation: New York Time, and not ET. */
const LOCALES = { en: 'en-001', ar: 'ar' }

/** What people call a time zone: Saudi Arabia Time, توقيت المملكة العربية السعودية. */
export function zoneName(zone: string, language: 'en' | 'ar'): string {
  const byPlace = nameOf(zone, language, 'shortGeneric')
  // A zone without a place, such as UTC, has only an offset there.
  return /\d/.test(byPlace) ? nameOf(zone, language, 'long') : byPlace
}

function nameOf(zone: string, language: 'en' | 'ar', timeZoneName: 'shortGeneric' | 'long'): string {
  const format = new Intl.DateTimeFormat(`${LOCALES[language]}-u-nu-latn`, { timeZone: zone, timeZoneName })
  return format.formatToParts(0).find(({ type }) => type === 'timeZoneName')?.value ?? zone
}
