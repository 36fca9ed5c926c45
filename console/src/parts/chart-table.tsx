import { useState } from 'preact/hooks'
import { words } from '../words/language.ts'
import type { Line } from './chart-drawing.ts'
import { type Column, Table } from './table.tsx'
import { Figure } from './text.tsx'
import { Day, Time } from './time.tsx'

const useTableWords = words({
  en: { asTable: 'Show as a table', day: 'Day', time: 'Time', nothing: 'Every value is zero.' },
  ar: { asTable: 'عرض في جدول', day: 'اليوم', time: 'الوقت', nothing: 'كل القيم صفر.' },
})

interface ChartTableProps {
  label: string
  times: number[]
  lines: Line[]
  daily: boolean
}

/** The values of a chart, newest first. It is made when somebody unfolds it. */
export function ChartTable({ label, times, lines, daily }: ChartTableProps) {
  const t = useTableWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="chart-table" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{t.asTable}</summary>
      {isOpen && <Rows label={label} times={times} lines={lines} daily={daily} />}
    </details>
  )
}

function Rows({ label, times, lines, daily }: ChartTableProps) {
  const t = useTableWords()
  const bars = lines.filter(({ as = 'line' }) => as !== 'line')
  // Days on which nothing happened say nothing.
  const isWorthARow = (row: number) => bars.length === 0 || bars.some(({ values }) => values[row])
  const rows = times
    .map((_, row) => row)
    .filter(isWorthARow)
    .reverse()
  const at = (row: number) => new Date((times[row] as number) * 1000).toISOString()
  const columns: Column<number>[] = [
    {
      title: daily ? t.day : t.time,
      main: true,
      show: row => (daily ? <Day on={at(row)} /> : <Time at={at(row)} seconds />),
    },
    ...lines.map(
      ({ label: title, values }): Column<number> => ({
        title,
        figures: true,
        show: row => (values[row] == null ? '—' : <Figure maximumFractionDigits={2}>{values[row] as number}</Figure>),
      }),
    ),
  ]
  if (rows.length === 0) return <p class="quiet">{t.nothing}</p>
  return <Table label={label} columns={columns} rows={rows} keyOf={row => row} />
}
