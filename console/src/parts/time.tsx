import { useStanding } from '../frame/standing.ts'
import { type Language, localeOf, useLanguage } from '../words/language.ts'
import { clockIn } from './local-clock.ts'

/** An instant, in the company's zone; where the company wants it, the Hijri date follows in brackets. */
export function Time({ at, seconds }: { at: string | null | undefined; seconds?: boolean }) {
  const language = useLanguage()
  const { zone, secondCalendar } = useStanding()
  if (!at) return <>—</>
  const instant = new Date(at)
  const day = formatter(language, zone, DAY[language]).format(instant)
  const hour = hourOf(language, zone, instant, seconds)
  const exact = formatter(language, zone, { dateStyle: 'full', timeStyle: 'long' }).format(instant)
  return (
    <time dateTime={at} title={exact}>
      <bdi>
        <span class="whole">{`${day}${COMMA[language]}`}</span> <span class="whole">{hour}</span>
        <ZoneName instant={instant} />
      </bdi>
      {secondCalendar && <Hijri instant={instant} zone={zone} />}
    </time>
  )
}

/** The time of the day, under a heading that says which day it is. */
export function Hour({ at }: { at: string }) {
  const language = useLanguage()
  const { zone } = useStanding()
  const instant = new Date(at)
  return (
    <time dateTime={at} title={formatter(language, zone, { dateStyle: 'full', timeStyle: 'long' }).format(instant)}>
      <bdi>
        {hourOf(language, zone, instant)}
        <ZoneName instant={instant} />
      </bdi>
    </time>
  )
}

function hourOf(language: Language, zone: string, instant: Date, seconds = false): string {
  // Keeps the half of the day with the hour.
  return formatter(language, zone, { timeStyle: seconds ? 'medium' : 'short' })
    .format(instant)
    .replace(/ (?=[صم]$)/, '\u00a0')
}

/** Beside a time that is not what the reader's own clock showed then. */
function ZoneName({ instant }: { instant: Date }) {
  const language = useLanguage()
  const { zone } = useStanding()
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (own === zone || clockIn(own, instant) === clockIn(zone, instant)) return null
  const parts = new Intl.DateTimeFormat(localeOf(language), { timeZone: zone, timeZoneName: 'short' })
  const name = parts.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value
  return (
    <>
      {' '}
      <bdi class="zone">{name}</bdi>
    </>
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
      <bdi>{formatter(language, 'UTC', DAY[language]).format(instant)}</bdi>
      {secondCalendar && <Hijri instant={instant} zone="UTC" />}
    </time>
  )
}

/** A day in the second calendar alone, beside the field that holds it in the first. */
export function HijriDay({ on }: { on: string }) {
  const language = useLanguage()
  const instant = new Date(`${on}T00:00:00Z`)
  if (Number.isNaN(instant.getTime())) return null
  return <bdi>{formatter(language, 'UTC', DAY[language], 'islamic-umalqura').format(instant)}</bdi>
}

/** In Arabic the shorter style has the month as a number, which readers of either calendar take for the other. */
const DAY: Record<Language, Intl.DateTimeFormatOptions> = { en: { dateStyle: 'medium' }, ar: { dateStyle: 'long' } }
const COMMA: Record<Language, string> = { en: ',', ar: '،' }

function Hijri({ instant, zone }: { instant: Date; zone: string }) {
  const language = useLanguage()
  const text = formatter(language, zone, DAY[language], 'islamic-umalqura').format(instant)
  return (
    <>
      {' '}
      <bdi class="hijri">{`(${text})`}</bdi>
    </>
  )
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
  return new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' }).format(Math.trunc(seconds / length), unit)
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(
  language: Language,
  zone: string,
  options: Intl.DateTimeFormatOptions,
  calendar?: string,
): Intl.DateTimeFormat {
  const locale = localeOf(language, calendar)
  const key = [locale, zone, options.dateStyle, options.timeStyle].join()
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })
  formatters.set(key, made)
  return made
}
