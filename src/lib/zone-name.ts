/** What people call a time zone: Saudi Arabia Time, توقيت المملكة العربية السعودية. */
export function zoneName(zone: string, locale: string): string {
  const byPlace = nameOf(zone, locale, 'shortGeneric')
  // A zone without a place, such as UTC, has only an offset there.
  return /\d/.test(byPlace) ? nameOf(zone, locale, 'long') : byPlace
}

function nameOf(zone: string, locale: string, timeZoneName: 'shortGeneric' | 'long'): string {
  const format = new Intl.DateTimeFormat(`${locale}-u-nu-latn`, { timeZone: zone, timeZoneName })
  return format.formatToParts(0).find(({ type }) => type === 'timeZoneName')?.value ?? zone
}
