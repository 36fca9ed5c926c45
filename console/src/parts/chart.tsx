import { useEffect, useRef, useState } from 'preact/hooks'
import type uPlot from 'uplot'
import { localeOf, useLanguage, words } from '../words/language.ts'
import { drawnLines, type Line, optionsFor } from './chart-drawing.ts'
import { ChartTable } from './chart-table.tsx'
import { Figure, Name } from './text.tsx'
import { Day, Time } from './time.tsx'
import '../style/chart.css'

const useChartWords = words({
  en: { how: 'The arrow keys move from point to point.' },
  ar: { how: 'تنقلك مفاتيح الأسهم من نقطة إلى أخرى.' },
})

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

/**
 * A chart over time. Time runs from left to right in every language, as on every clock face and in every ledger here. The values
 * under the pointer stand below it; the arrow keys go from point to point, and all values are in a table.
 */
export function Chart({ label, times, lines, zone, heightPx = 220, daily = false }: ChartProps) {
  const t = useChartWords()
  const [chosen, setChosen] = useState<number>()
  const { place, point } = useDrawing({ times, lines, zone, heightPx, daily }, setChosen)
  const last = times.length - 1
  const shown = chosen !== undefined && chosen <= last ? chosen : undefined

  const onKeyDown = (event: KeyboardEvent) => {
    const at = shown ?? last
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key]
    if (to === undefined && event.key !== 'Escape') return
    event.preventDefault()
    point(to === undefined ? undefined : Math.min(Math.max(to, 0), last))
  }
  return (
    <div class="charted">
      <div
        class="chart"
        ref={place}
        role="slider"
        tabIndex={0}
        aria-label={`${label}. ${t.how}`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={shown ?? last}
        aria-valuetext={dayText(times[shown ?? last], zone, localeOf(useLanguage()), daily)}
        dir="ltr"
        style={{ minHeight: `${heightPx}px` }}
        onKeyDown={onKeyDown}
        onFocus={() => shown === undefined && point(last)}
        onBlur={() => point(undefined)}
      />
      <Values times={times} lines={lines} daily={daily} of={shown} />
      <ChartTable label={label} times={times} lines={lines} daily={daily} />
    </div>
  )
}

function dayText(time: number | undefined, zone: string, locale: string, daily: boolean): string {
  const style = daily ? ({ dateStyle: 'long' } as const) : ({ timeStyle: 'medium' } as const)
  return new Intl.DateTimeFormat(locale, { ...style, timeZone: zone }).format((time ?? 0) * 1000)
}

type Drawn = Required<Omit<ChartProps, 'label'>>

/** Draws again when what is shown changes, or how. `point` puts the cursor on a point, as the pointer does. */
function useDrawing({ times, lines, zone, heightPx, daily }: Drawn, onPoint: (index: number | undefined) => void) {
  const language = useLanguage()
  const locale = localeOf(language)
  const place = useRef<HTMLDivElement>(null)
  const drawn = useRef<uPlot | undefined>(undefined)
  const data = JSON.stringify([times, lines])

  useEffect(() => {
    const element = place.current
    if (!element) return
    let gone = false
    const watch = new ResizeObserver(() => drawn.current?.setSize({ width: element.clientWidth, height: heightPx }))
    const appearance = matchMedia('(prefers-color-scheme: dark)')
    const draw = async () => {
      const [{ default: UPlot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')])
      if (gone) return
      drawn.current?.destroy()
      const options = optionsFor(UPlot, element, { lines, zone, heightPx, daily, language, locale })
      const hooks = { setCursor: [(chart: uPlot) => onPoint(chart.cursor.idx ?? undefined)] }
      const values = [times, ...drawnLines(lines).map(line => line.values)] as uPlot.AlignedData
      drawn.current = new UPlot({ ...options, hooks }, values, element)
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
      drawn.current?.destroy()
      drawn.current = undefined
    }
  }, [data, language, locale, zone, heightPx, daily])

  const point = (index: number | undefined) => {
    const time = index === undefined ? undefined : times[index]
    const left = time === undefined ? -10 : drawn.current?.valToPos(time, 'x')
    if (left !== undefined) drawn.current?.setCursor({ left, top: time === undefined ? -10 : 0 })
    onPoint(index)
  }
  return { place, point }
}

interface ValuesProps extends Pick<Drawn, 'times' | 'lines' | 'daily'> {
  of: number | undefined
}

/** What each colour stands for, and its value at the point that was chosen, which is read out. */
function Values({ times, lines, daily, of }: ValuesProps) {
  const time = of === undefined ? undefined : new Date((times[of] as number) * 1000).toISOString()
  return (
    <p class="chart-values" role="status">
      {time && <strong>{daily ? <Day on={time} /> : <Time at={time} seconds />}</strong>}
      {(time || lines.length > 1) &&
        lines.map(({ label, colour, values }) => (
          <span key={label} class="whole">
            <span class={`swatch ${colour}`} /> <Name>{label}</Name>{' '}
            {of !== undefined &&
              (values[of] == null ? '—' : <Figure maximumFractionDigits={2}>{values[of] as number}</Figure>)}
          </span>
        ))}
    </p>
  )
}
