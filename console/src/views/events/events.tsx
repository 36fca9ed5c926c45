import { useState } from 'preact/hooks'
import { setQuery, useQuery } from '../../frame/address.ts'
import { useStanding } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { useLanguage } from '../../words/language.ts'
import { todayIn } from '../records/today.ts'
import { Agenda } from './agenda.tsx'
import { isDay, monthsAfter, weeksOf } from './days.ts'
import { hijriMonths, monthTitle, wholeDay } from './formats.ts'
import { MonthView } from './month-view.tsx'
import { weekIn } from './week.ts'
import { useEventsWords } from './words.ts'
import { ZoneNote } from './zone-note.tsx'
import '../../style/work.css'
import '../../style/events.css'

type Shape = 'month' | 'agenda'

/** Events belong to people: these are the reader's own, as a month or as an agenda. */
export default function Events() {
  const t = useEventsWords()
  const language = useLanguage()
  const { me, may, zone, secondCalendar } = useStanding()
  const [shape, setShape] = useShape()
  const today = todayIn(zone)
  const [asked, setDay] = useQuery('day', today)
  const day = isDay(asked) ? asked : today
  const [isAdding, setAdding] = useState(false)
  const week = weekIn(zone)
  const days = weeksOf(day, week.firstDay)
    .flat()
    .filter(each => each.startsWith(day.slice(0, 7)))
  const label = shape === 'month' ? monthTitle(language, day) : t.from(wholeDay(language, day))
  const step = (months: number) => {
    const to = monthsAfter(`${day.slice(0, 8)}01`, months)
    if (isDay(to)) setQuery({ day: [to], event: [] })
  }
  return (
    <Page
      title={t.title}
      lead={me.kind === 'operator' ? t.operatorHasNone : t.lead}
      actions={
        may('createEvent') && (
          <Button main icon="plus" onClick={() => setAdding(true)}>
            {t.add}
          </Button>
        )
      }
    >
      <div class="calendar-bar">
        <div class="row">
          <Button quiet icon="previous" aria-label={t.earlier} onClick={() => step(-1)} />
          <Button quiet icon="next" aria-label={t.later} onClick={() => step(1)} />
          <Button onClick={() => setDay('')}>{t.today}</Button>
        </div>
        <div class="calendar-title" aria-live="polite">
          <h2>{label}</h2>
          {secondCalendar && shape === 'month' && (
            <p class="quiet">{hijriMonths(language, days[0] as string, days.at(-1) as string)}</p>
          )}
        </div>
        <fieldset class="row" aria-label={t.shownAs}>
          {(['month', 'agenda'] as const).map(each => (
            <Button key={each} aria-pressed={shape === each} onClick={() => setShape(each)}>
              {t[each]}
            </Button>
          ))}
        </fieldset>
      </div>
      <ZoneNote />
      {shape === 'month' ? (
        <MonthView day={day} today={today} week={week} label={label} isAdding={isAdding} setAdding={setAdding} />
      ) : (
        <Agenda day={day} isAdding={isAdding} setAdding={setAdding} />
      )}
    </Page>
  )
}

/** In the URL. Where it is narrow the agenda comes first, elsewhere the month. */
function useShape(): [Shape, (shape: Shape) => void] {
  const [usual] = useState<Shape>(() => (matchMedia('(max-width: 800px)').matches ? 'agenda' : 'month'))
  const [asked, set] = useQuery('as')
  return [asked === 'month' || asked === 'agenda' ? asked : usual, set]
}
