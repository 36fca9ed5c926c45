import type { Health as HealthOfAll, Part, PartState } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Facts, Table } from '../../parts/table.tsx'
import { Badge, Code, Figure, Note, Told, type Tone } from '../../parts/text.tsx'
import { Ago, Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useServiceWords } from './words.ts'

const EVERY_MS = 10_000
const TONES: Record<PartState, Tone> = { ok: 'good', degraded: 'warn', down: 'bad', off: 'plain' }

/** How each part is, since when, and what to do about it. */
export default function Health() {
  const t = useServiceWords()
  const health = useAnswer('GET /health', {}, EVERY_MS)
  return (
    <Page title={t.health} lead={t.healthLead}>
      <Loaded of={health}>
        {({ data }) => (
          <div class="stack">
            <Summary parts={data.parts} />
            <Parts parts={data.parts} />
            <Service of={data} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Summary({ parts }: { parts: Part[] }) {
  const t = useServiceWords()
  const troubled = parts.filter(({ state }) => state === 'down' || state === 'degraded')
  if (troubled.length === 0) return <Note tone="good">{t.allWell}</Note>
  const isDown = troubled.some(({ state }) => state === 'down')
  return <Note tone={isDown ? 'bad' : 'warn'}>{t.trouble(troubled.length)}</Note>
}

function Parts({ parts }: { parts: Part[] }) {
  const t = useServiceWords()
  const common = useCommonWords()
  return (
    <Table
      label={t.health}
      rows={parts}
      keyOf={({ name }) => name}
      columns={[
        {
          title: t.part,
          main: true,
          show: ({ name }) => (
            <>
              {t.parts[name].name}
              <div class="quiet">{t.parts[name].what}</div>
            </>
          ),
        },
        { title: common.state, show: ({ state }) => <Badge tone={TONES[state]}>{t.states[state]}</Badge> },
        { title: t.since, show: ({ since }) => <Ago at={since} /> },
        {
          title: t.whatIsKnown,
          show: ({ message, advice }) => (
            <>
              <p>
                <Told>{message}</Told>
              </p>
              {advice && (
                <div class="quiet">
                  <p>{t.whatToDo}:</p>
                  <p>
                    <Told>{advice}</Told>
                  </p>
                </div>
              )}
            </>
          ),
        },
      ]}
    />
  )
}

function Service({ of: { version, node, engine, started_at, feed_lag_seconds } }: { of: HealthOfAll }) {
  const t = useServiceWords()
  return (
    <Card title={t.service}>
      <Facts
        of={[
          [t.version, <Code key="version">{version}</Code>],
          [t.startedAt, <Time key="started" at={started_at} />],
          [t.node, <Code key="node">{node}</Code>],
          [t.engine, t.engines[engine]],
          [
            t.feedLag,
            <>
              {feed_lag_seconds === null ? (
                '—'
              ) : (
                <Figure style="unit" unit="second" unitDisplay="long" maximumFractionDigits={1}>
                  {feed_lag_seconds}
                </Figure>
              )}
              <div class="hint">{t.feedLagHint}</div>
            </>,
          ],
        ]}
      />
    </Card>
  )
}
