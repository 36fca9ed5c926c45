import { useEffect, useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import { LANGUAGES, type Language, useLanguage } from '../words/language.ts'

export interface Line {
  label: string
  values: (number | null)[]
  /** The name of a colour in the style sheet. */
  colour: 'accent' | 'good' | 'warn' | 'bad' | 'quiet'
  as?: 'line' | 'bars'
}

interface ChartProps {
  /** Read out instead of the chart: what it shows, in a sentence. */
  label: string
  /** Seconds since 1970. */
  times: number[]
  lines: Line[]
  zone: string
  heightPx?: number
  /** Every point is a day. */
  daily?: boolean
}

/** A chart over time. Time runs from left to right in every language, as on every clock face and in every ledger here. */
export function Chart({ label, times, lines, zone, heightPx = 220, daily = false }: ChartProps) {
  const language = useLanguage()
  const place = useRef<HTMLDivElement>(null)
  const data = JSON.stringify([times, lines])

  useEffect(() => {
    const element = place.current
    if (!element) return
    let chart: uPlot | undefined
    let gone = false
    const watch = new ResizeObserver(() => chart?.setSize({ width: element.clientWidth, height: heightPx }))
    const appearance = matchMedia('(prefers-color-scheme: dark)')
    const draw = async () => {
      const [{ default: UPlot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')])
      if (gone) return
      chart?.destroy()
      const options = optionsFor(UPlot, element, { lines, zone, heightPx, daily, language })
      chart = new UPlot(options, [times, ...lines.map(({ values }) => values)] as uPlot.AlignedData, element)
    }
    draw()
    watch.observe(element)
    const chosen = new MutationObserver(draw)
    chosen.observe(document.documentElement, { attributeFilter: ['data-appearance'] })
    appearance.addEventListener('change', draw)
    return () => {
      gone = true
      watch.disconnect()
      chosen.disconnect()
      appearance.removeEventListener('change', draw)
      chart?.destroy()
    }
  }, [data, language, zone, heightPx, daily])

  return (
    <div class="chart" ref={place} role="img" aria-label={label} dir="ltr" style={{ minHeight: `${heightPx}px` }} />
  )
}

function optionsFor(
  UPlot: typeof uPlot,
  element: HTMLElement,
  { lines, zone, heightPx, daily, language }: Required<Omit<ChartProps, 'label' | 'times'>> & { language: Language },
): uPlot.Options {
  const colour = (name: string) => resolved(element, `var(--${name})`)
  const { locale, dir } = LANGUAGES[language]
  const figures = new Intl.NumberFormat(locale, { notation: 'compact' })
  // The chart runs from left to right; its labels follow their language.
  const written = (texts: string[]) => (dir === 'rtl' ? texts.map(text => text && `\u2067${text}\u2069`) : texts)
  const axis = {
    stroke: colour('quiet'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
    font: `12px ${getComputedStyle(element).fontFamily}`,
  }
  const bars = UPlot.paths.bars?.({ size: [0.7, 40] })
  return {
    width: element.clientWidth,
    height: heightPx,
    tzDate: seconds => UPlot.tzDate(new Date(seconds * 1000), zone),
    legend: { show: lines.length > 1, live: false },
    cursor: { drag: { x: false, y: false } },
    scales: {
      // The first and the last bar have their full width.
      ...(daily && { x: { range: (_chart: uPlot, first: number, last: number) => [first - DAY / 2, last + DAY / 2] } }),
      y: { range: (_chart, _min, max) => [0, Math.max(max ?? 0, 1) * 1.1] },
    },
    axes: [
      {
        ...axis,
        values: (_chart, ticks) => written(timeLabels(ticks, zone, locale)),
        space: 64,
        ...(daily && { incrs: STEPS }),
      },
      { ...axis, size: 56, values: (_chart, ticks) => written(ticks.map(tick => figures.format(tick))) },
    ],
    series: [
      {},
      ...lines.map(({ label, colour: name, as }) => ({
        label,
        stroke: colour(name),
        width: as === 'bars' ? 0 : 2,
        points: { show: false },
        ...(as === 'bars' && bars && { fill: colour(name), paths: bars }),
      })),
    ],
  }
}

const DAY = 86_400
const STEPS = [1, 2, 7, 14, 30, 61, 122].map(days => days * DAY)

/** Days where the ticks are days, times of the day where they are closer. */
function timeLabels(ticks: number[], zone: string, locale: string): string[] {
  const areDays = ((ticks[1] ?? 0) - (ticks[0] ?? 0)) % DAY === 0
  const options = areDays
    ? ({ day: 'numeric', month: 'short' } as const)
    : ({ hour: '2-digit', minute: '2-digit' } as const)
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })
  const labels = ticks.map(tick => format.format(tick * 1000))
  // Several ticks may fall into one minute: only the first is labelled.
  return labels.map((label, i) => (label === labels[i - 1] ? '' : label))
}

/** A canvas does not support variables or light-dark(). */
function resolved(element: HTMLElement, value: string): string {
  const probe = document.createElement('span')
  probe.style.color = value
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
