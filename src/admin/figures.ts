import Type from 'typebox'
import { Instant, Nullable, Single } from '../http/answers/schema.ts'
import { STATUS_CLASSES, STEP_SECONDS } from '../http/operation/figures.ts'
import { adminEndpoint } from './gate.ts'

const latency = (percent: number) =>
  Nullable(
    Type.Number({
      description: `${percent} % of the requests took no longer, as far as the metrics tell; null without requests`,
    }),
  )

const Step = Type.Object(
  {
    at: Instant({ description: 'The end of the step' }),
    requests: Type.Object(Object.fromEntries(STATUS_CLASSES.map(name => [name, Type.Integer()]))),
    p50_ms: latency(50),
    p95_ms: latency(95),
    p99_ms: latency(99),
    connections: Type.Integer({ description: 'Connections open at the end of the step' }),
    memory_bytes: Type.Integer({ description: 'Memory of the process' }),
    event_loop_delay_ms: Type.Number({ description: 'How late timers were, at the 99th percentile' }),
    feed_lag_seconds: Nullable(Type.Number({ description: 'Null when the database did not answer' })),
  },
  { title: 'FiguresStep' },
)

const Figures = Type.Object(
  { node: Type.String(), step_seconds: Type.Integer(), steps: Type.Array(Step) },
  {
    title: 'Figures',
    examples: [
      {
        node: 'diwan-1',
        step_seconds: 10,
        steps: [
          {
            at: '2026-11-15T08:30:10.000Z',
            requests: { '2xx': 412, '3xx': 3, '4xx': 9, '5xx': 0 },
            p50_ms: 2.1,
            p95_ms: 7.9,
            p99_ms: 18.4,
            connections: 24,
            memory_bytes: 187_695_104,
            event_loop_delay_ms: 1.2,
            feed_lag_seconds: 0,
          },
        ],
      },
    ],
  },
)

const STEPS_PER_MINUTE = 60 / STEP_SECONDS

export const getFigures = adminEndpoint({
  name: 'get_figures',
  since: '1.6.0',
  operation: 'figures:read',
  who: 'operator',
  summary: 'Get live figures',
  description:
    'Requests, latency, connections, memory and delays of the last `minutes` minutes in steps of 10 seconds, oldest first, of the node that answers. They begin anew when it starts.',
  method: 'GET',
  at: ['/figures'],
  query: Type.Object({ minutes: Type.Integer({ default: 60, minimum: 1, maximum: 60 }) }),
  returns: Single(Figures),
  async run({ figures, about, query }) {
    const steps = figures.steps().slice(-query.minutes * STEPS_PER_MINUTE)
    return { data: { node: about.node, step_seconds: STEP_SECONDS, steps } }
  },
})
