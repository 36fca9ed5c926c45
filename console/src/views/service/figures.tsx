import type { Figures as FiguresOfNode, FiguresStep } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useQuery } from '../../frame/address.ts'
import { useStanding } from '../../frame/standing.ts'
import { Chart } from '../../parts/chart.tsx'
import type { Line } from '../../parts/chart-drawing.ts'
import { Filters, SelectField } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Code } from '../../parts/text.tsx'
import { FiguresNow } from './figures-now.tsx'
import { useServiceWords } from './words.ts'

const EVERY_MS = 10_000
const MINUTES = ['5', '15', '60']

/** What the server does and how it is doing, drawn live. */
export default function Figures() {
  const t = useServiceWords()
  const [minutes, setMinutes] = useQuery('minutes', '15')
  const figures = useAnswer('GET /figures', { query: { minutes: Number(minutes) || 15 } }, EVERY_MS)
  return (
    <Page
      title={t.figures}
      lead={
        <>
          {t.figuresLead} {figures.data && <Code>{figures.data.data.node}</Code>}
        </>
      }
    >
      <Filters>
        <SelectField
          label={t.over}
          value={minutes}
          onChange={setMinutes}
          options={MINUTES.map(each => [each, t.minutes(Number(each))] as const)}
        />
      </Filters>
      <Loaded of={figures}>
        {({ data }) => (data.steps.length === 0 ? <div class="empty">{t.noSteps}</div> : <Drawn of={data} />)}
      </Loaded>
    </Page>
  )
}

function Drawn({ of: { steps, step_seconds } }: { of: FiguresOfNode }) {
  const t = useServiceWords()
  const line = (label: string, colour: Line['colour'], value: (step: FiguresStep) => number | null): Line => ({
    label,
    colour,
    values: steps.map(value),
  })
  const total = steps.reduce((sum, { requests }) => sum + Object.values(requests).reduce((a, b) => a + b), 0)
  const perSecond = (status: keyof FiguresStep['requests']) => (step: FiguresStep) =>
    step.requests[status] / step_seconds
  return (
    <>
      <FiguresNow steps={steps} stepSeconds={step_seconds} />
      <Drawing
        title={t.requests}
        label={`${t.requests}: ${t.requestsChart(total)}`}
        steps={steps}
        lines={[
          line('2xx', 'good', perSecond('2xx')),
          line('3xx', 'quiet', perSecond('3xx')),
          line('4xx', 'warn', perSecond('4xx')),
          line('5xx', 'bad', perSecond('5xx')),
        ]}
      />
      <Drawing
        title={t.latency}
        label={t.latencyChart}
        steps={steps}
        lines={[
          line(t.median, 'good', step => step.p50_ms),
          line(t.share(95), 'accent', step => step.p95_ms),
          line(t.share(99), 'warn', step => step.p99_ms),
        ]}
      />
      <div class="pair">
        <Drawing title={t.memory} steps={steps} lines={[line(t.memory, 'accent', step => step.memory_bytes / 1e6)]} />
        <Drawing
          title={t.delay}
          hint={t.delayHint}
          steps={steps}
          lines={[line(t.delay, 'accent', step => step.event_loop_delay_ms)]}
        />
        <Drawing
          title={t.connections}
          steps={steps}
          lines={[line(t.connections, 'accent', step => step.connections)]}
        />
        <Drawing title={t.lag} steps={steps} lines={[line(t.lag, 'accent', step => step.feed_lag_seconds)]} />
      </div>
    </>
  )
}

interface DrawingProps {
  title: string
  hint?: string
  /** Read out; by default the title. */
  label?: string
  steps: FiguresStep[]
  lines: Line[]
}

function Drawing({ title, hint, label = title, steps, lines }: DrawingProps) {
  const { zone } = useStanding()
  return (
    <Card title={title}>
      {hint && <p class="hint">{hint}</p>}
      <Chart
        label={label}
        zone={zone}
        times={steps.map(({ at }) => Date.parse(at) / 1000)}
        lines={lines}
        heightPx={180}
      />
    </Card>
  )
}
