import type uPlot from 'uplot'
import { LANGUAGES, type Language } from '../words/language.ts'

/** The name of a colour in the style sheet. */
export type SeriesColour = 'accent' | 'second' | 'third' | 'fourth' | 'good' | 'warn' | 'bad' | 'quiet'

export interface Line {
  label: string
  values: (number | null)[]
  colour: SeriesColour
  /** Bars that are stacked stand on those before them; one that is part of them all stands before them, and is narrower. */
  as?: 'line' | 'bars' | 'stacked bars' | 'part of the bars'
}

export interface Drawing {
  lines: Line[]
  zone: string
  heightPx: number
  /** Every point is a day. */
  daily: boolean
  language: Language
  locale: string
}

/** What is drawn: the last of a stack is the highest, so it is drawn first and the others before it. */
export function drawnLines(lines: Line[]): Line[] {
  const stacked = lines.filter(({ as }) => as === 'stacked bars')
  const summed = stacked.map((line, n) => ({
    ...line,
    values: line.values.map((_, i) => stacked.slice(0, n + 1).reduce((sum, { values }) => sum + (values[i] ?? 0), 0)),
  }))
  return [...summed.reverse(), ...lines.filter(({ as }) => as !== 'stacked bars')]
}

export function optionsFor(UPlot: typeof uPlot, element: HTMLElement, drawing: Drawing): uPlot.Options {
  const { lines, zone, heightPx, daily, language, locale } = drawing
  const colour = (name: string) => resolved(element, `var(--${name})`)
  const { dir } = LANGUAGES[language]
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
  const narrowBars = UPlot.paths.bars?.({ size: [0.25, 14] })
  return {
    width: element.clientWidth,
    height: heightPx,
    tzDate: seconds => UPlot.tzDate(new Date(seconds * 1000), zone),
    // What is under the pointer is told below the chart, for whoever cannot see it too.
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
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
      {
        ...axis,
        size: 56,
        values: (_chart, ticks) => written(ticks.map(tick => figures.format(tick))),
        // In a day there are whole calls.
        ...(daily && { incrs: WHOLE }),
      },
    ],
    series: [
      {},
      ...drawnLines(lines).map(({ colour: name, as = 'line' }) => {
        const paths = as === 'part of the bars' ? narrowBars : bars
        return {
          stroke: colour(name),
          width: as === 'line' ? 2 : 0,
          points: { show: false },
          ...(as !== 'line' && paths && { fill: colour(name), paths }),
        }
      }),
    ],
  }
}

const DAY = 86_400
const STEPS = [1, 2, 7, 14, 30, 61, 122].map(days => days * DAY)
const WHOLE = Array.from({ length: 13 }, (_, n) => [1, 2, 5].map(step => step * 10 ** n)).flat()

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
