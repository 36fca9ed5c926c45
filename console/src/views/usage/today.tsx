import type { ComponentChildren } from 'preact'
import type { Usage, UsageToday } from '../../api/types.ts'
import { useStanding } from '../../frame/standing.ts'
import { Card } from '../../parts/page.tsx'
import { Figure, Note } from '../../parts/text.tsx'
import { Ago, Time } from '../../parts/time.tsx'
import { useUsageWords } from './words.ts'

/** Today so far: what was used, what is left and until when, and the forecast. */
export function Today({ day, meta: { left, resets_at, forecast } }: { day: Usage | undefined; meta: UsageToday }) {
  const t = useUsageWords()
  const { zone } = useStanding()
  if (!day) return null
  const { calls, limit } = day
  const over = limit !== null && forecast !== null ? forecast - limit : 0
  return (
    <>
      <div class="cards">
        <Fact title={t.callsToday} about={limit === null ? t.noLimit : t.of(limit)}>
          <Figure>{calls}</Figure>
        </Fact>
        <Fact
          title={t.left}
          about={limit !== null && <meter aria-label={t.left} min={0} max={Math.max(limit, 1)} value={left ?? 0} />}
        >
          {left === null ? t.unlimited : <Figure>{left}</Figure>}
        </Fact>
        <Fact title={t.forecast} about={forecast === null ? undefined : t.forecastHint}>
          {forecast === null ? <span class="quiet small">{t.forecastUnknown}</span> : <Figure>{forecast}</Figure>}
        </Fact>
        <Fact
          title={t.resets}
          about={
            <>
              <Time at={resets_at} />
              <span class="own-line">{t.inZone(zone)}</span>
            </>
          }
        >
          <Ago at={resets_at} />
        </Fact>
      </div>
      {left === 0 ? <Note tone="bad">{t.spent}</Note> : over > 0 && <Note tone="warn">{t.forecastTooMuch(over)}</Note>}
    </>
  )
}

function Fact({
  title,
  about,
  children,
}: {
  title: string
  about: ComponentChildren | undefined
  children: ComponentChildren
}) {
  return (
    <Card>
      <p class="quiet">{title}</p>
      <p class="figure">{children}</p>
      {about && <p class="quiet">{about}</p>}
    </Card>
  )
}
