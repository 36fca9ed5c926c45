import type { Usage } from '../api/types.ts'
import { formatNumber, words } from '../words/language.ts'
import { Chart, type Line } from './chart.tsx'

const useCallsChartWords = words({
  en: {
    calls: 'Calls',
    allowance: 'Allowance',
    farAbove: (limit: number) => `The allowance of ${formatNumber('en', limit)} calls a day is far above the chart.`,
  },
  ar: {
    calls: 'الاستدعاءات',
    allowance: 'الحصة',
    farAbove: (limit: number) => `الحصة اليومية (${formatNumber('ar', limit)}) أعلى بكثير مما يعرضه الرسم.`,
  },
})

/** With an allowance this many times as high, the calls would not be visible. */
const FAR_TIMES = 20

/** The calls of each day against the allowance. */
export function CallsChart({ label, days }: { label: string; days: Usage[] }) {
  const t = useCallsChartWords()
  const most = Math.max(...days.map(({ calls }) => calls))
  const limit = days.at(-1)?.limit ?? null
  const isFar = limit !== null && limit > most * FAR_TIMES
  const lines: Line[] = [{ label: t.calls, colour: 'accent', as: 'bars', values: days.map(({ calls }) => calls) }]
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
