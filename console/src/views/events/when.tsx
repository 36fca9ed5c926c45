import type { Event } from '../../api/types.ts'
import { useStanding } from '../../frame/standing.ts'
import { Time } from '../../parts/time.tsx'
import { useLanguage } from '../../words/language.ts'
import { clockTime, daysBetween } from './formats.ts'
import { spanOf } from './spans.ts'
import { useEventsWords } from './words.ts'

/** When an event takes place, as briefly as it can be said beside the day on which it stands. */
export function When({ event }: { event: Event }) {
  const t = useEventsWords()
  const language = useLanguage()
  const { zone } = useStanding()
  const { starts_at, ends_at, all_day } = event
  const { first, last } = spanOf(event)
  if (first === last && all_day) return <span>{t.allDay}</span>
  if (first === last)
    return (
      <time dateTime={starts_at}>
        <bdi class="whole">{clockTime(language, starts_at, zone)}</bdi> –{' '}
        <bdi class="whole">{clockTime(language, ends_at, zone)}</bdi>
      </time>
    )
  if (all_day) return <time dateTime={first}>{daysBetween(language, first, last)}</time>
  return (
    <>
      <Time at={starts_at} /> – <Time at={ends_at} />
    </>
  )
}
