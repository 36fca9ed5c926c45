import type { Usage, UsageShare } from '../api/types.ts'
import { count, formatNumber, words } from '../words/language.ts'
import { Chart } from './chart.tsx'
import type { Line, SeriesColour } from './chart-drawing.ts'

const useCallsChartWords = words({
  en: {
    calls: 'Calls',
    denied: 'Denied',
    others: 'Others',
    allowance: 'Allowance',
    farAbove: (limit: number) =>
      `The allowance of ${count('en', limit, { one: '# call', other: '# calls' })} a day is far above the chart.`,
  },
  ar: {
    calls: 'الاستدعاءات',
    denied: 'المرفوضة',
    others: 'غيرها',
    allowance: 'الحصة',
    farAbove: (limit: number) => `الحصة اليومية (${formatNumber('ar', limit)}) أعلى بكثير مما يعرضه الرسم.`,
  },
})

/** With an allowance this many times as high, the calls would not be visible. */
const FAR_TIMES = 20

/** The status of a call that a key was not allowed. */
const DENIED = 403

interface CallsChartProps {
  label: string
  days: Usage[]
  /** How the calls of each day are divided, and what a part is called; otherwise they are one bar. */
  parts?: { nameOf: (share: UsageShare) => string }
  /** The same days by status, which tells how many calls were denied. */
  byStatus?: Usage[] | undefined
}

/** The calls of each day against the allowance; the denied ones among them are red. */
export function CallsChart({ label, days, parts, byStatus }: CallsChartProps) {
  const t = useCallsChartWords()
  const most = Math.max(...days.map(({ calls }) => calls))
  const limit = days.at(-1)?.limit ?? null
  const isFar = limit !== null && limit > most * FAR_TIMES
  const lines: Line[] = parts
    ? partsOf(days, parts.nameOf, t.others)
    : [{ label: t.calls, colour: 'accent', as: 'bars', values: days.map(({ calls }) => calls) }]
  const denied = deniedOf(days, byStatus)
  if (denied.some(calls => calls > 0))
    lines.push({ label: t.denied, colour: 'bad', as: 'part of the bars', values: denied })
  if (!isFar && days.some(day => day.limit !== null))
    lines.push({ label: t.allowance, colour: 'warn', values: days.map(day => day.limit) })
  return (
    <>
      {/* A day is a day: drawn at its midnight in no zone. */}
      <Chart
        label={label}
        zone="UTC"
        daily
        times={days.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / 1000)}
        lines={lines}
      />
      {isFar && <p class="hint">{t.farAbove(limit)}</p>}
    </>
  )
}

const COLOURS: SeriesColour[] = ['accent', 'second', 'third', 'fourth']

/** The largest parts, each in its colour, and the others together. */
function partsOf(days: Usage[], nameOf: (share: UsageShare) => string, others: string): Line[] {
  const shares = days.flatMap(day => day.by ?? [])
  const sums = new Map<string, number>()
  for (const share of shares) sums.set(nameOf(share), (sums.get(nameOf(share)) ?? 0) + share.calls)
  const largest = [...sums].sort(([, a], [, b]) => b - a).map(([name]) => name)
  const named = largest.slice(0, COLOURS.length)
  const line = (label: string, colour: SeriesColour, isOf: (name: string) => boolean): Line => ({
    label,
    colour,
    as: 'stacked bars',
    values: days.map(({ by = [] }) =>
      by.filter(share => isOf(nameOf(share))).reduce((sum, { calls }) => sum + calls, 0),
    ),
  })
  return [
    ...named.map((name, n) => line(name, COLOURS[n] as SeriesColour, one => one === name)),
    ...(largest.length > named.length ? [line(others, 'quiet', one => !named.includes(one))] : []),
  ]
}

/** The denied calls of each day; the two answers may differ by a day if one was asked for after midnight. */
function deniedOf(days: Usage[], byStatus: Usage[] = []): number[] {
  const denied = new Map(
    byStatus.map(({ date, by }) => [date, by?.find(({ status }) => status === DENIED)?.calls ?? 0]),
  )
  return days.map(({ date }) => denied.get(date) ?? 0)
}
