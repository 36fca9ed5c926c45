import { useStanding } from '../frame/standing.ts'
import { LANGUAGES, type Language, useLanguage } from '../words/language.ts'

/** An instant, in the company's zone, with the Hijri date beside it where the company wants it. */
export function Time({ at }: { at: string | null | undefined }) {
  const language = useLanguage()
  const { zone, secondCalendar } = useStanding()
  if (!at) return <>—</>
  const instant = new Date(at)
  const formatted = formatter(language, zone, { dateStyle: 'medium', timeStyle: 'short' }).format(instant)
  // Keeps the half of the day with the hour.
  const text = formatted.replace(/ (?=[صم]$)/, '\u00a0')
  const exact = formatter(language, zone, { dateStyle: 'full', timeStyle: 'long' }).format(instant)
  return (
    <time dateTime={at} title={exact}>
      <bdi>{text}</bdi>
      {secondCalendar && <Hijri instant={instant} zone={zone} />}
    </time>
  )
}

/** A day, which is the same in every zone. */
export function Day({ on }: { on: string | null | undefined }) {
  const language = useLanguage()
  const { secondCalendar } = useStanding()
  if (!on) return <>—</>
  const instant = new Date(`${on.slice(0, 10)}T00:00:00Z`)
  return (
    <time dateTime={on}>
      <bdi>{formatter(language, 'UTC', { dateStyle: 'medium' }).format(instant)}</bdi>
      {secondCalendar && <Hijri instant={instant} zone="UTC" />}
    </time>
  )
}

function Hijri({ instant, zone }: { instant: Date; zone: string }) {
  const language = useLanguage()
  const locale = language === 'ar' ? 'ar-SA-u-nu-latn-ca-islamic-umalqura' : 'en-GB-u-ca-islamic-umalqura'
  const text = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: zone }).format(instant)
  return <bdi class="hijri">{text}</bdi>
}

/** How long ago, or how long until then: for what happens around now. */
export function Ago({ at }: { at: string | null | undefined }) {
  const language = useLanguage()
  const { zone } = useStanding()
  if (!at) return <>—</>
  const instant = new Date(at)
  return (
    <time dateTime={at} title={formatter(language, zone, { dateStyle: 'full', timeStyle: 'long' }).format(instant)}>
      <bdi>{ago(language, (instant.getTime() - Date.now()) / 1000)}</bdi>
    </time>
  )
}

const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

function ago(language: Language, seconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const)
  return new Intl.RelativeTimeFormat(LANGUAGES[language].locale, { numeric: 'auto' }).format(
    Math.trunc(seconds / length),
    unit,
  )
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(language: Language, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = [language, zone, options.dateStyle, options.timeStyle].join()
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(LANGUAGES[language].locale, { ...options, timeZone: zone })
  formatters.set(key, made)
  return made
}
