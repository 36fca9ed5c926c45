import type { ComponentChildren } from 'preact'
import { useStanding } from '../frame/standing.ts'
import { words } from '../words/language.ts'
import { clockIn } from './local-clock.ts'
import { Day, Hour } from './time.tsx'
import '../style/day-log.css'

const useDayLogWords = words({ en: { today: 'Today' }, ar: { today: 'اليوم' } })

interface DayLogProps<T> {
  label: string
  rows: T[]
  keyOf: (row: T) => string | number
  /** When it happened. */
  at: (row: T) => string
  children: (row: T) => ComponentChildren
}

/** What happened, sentence by sentence, under the day on which it did in the company's zone. */
export function DayLog<T>({ label, rows, keyOf, at, children }: DayLogProps<T>) {
  const t = useDayLogWords()
  const { zone } = useStanding()
  const dayOf = (instant: Date) => clockIn(zone, instant).slice(0, 10)
  const today = dayOf(new Date())
  return (
    <section class="day-log" aria-label={label}>
      {[...Map.groupBy(rows, row => dayOf(new Date(at(row))))].map(([day, entries]) => (
        <section key={day} class="card">
          <h2>
            {day === today && <>{t.today} </>}
            <span class={day === today ? 'quiet' : undefined}>
              <Day on={day} />
            </span>
          </h2>
          <ul>
            {entries.map(row => (
              <li key={keyOf(row)}>
                <div>{children(row)}</div>
                <Hour at={at(row)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}
