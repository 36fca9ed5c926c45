import Type from 'typebox'
import { PARTS } from '../domain/installation/health.ts'
import { CONDITIONS } from '../domain/ports/condition.ts'
import { Instant, Nullable, OneOf, Sentence, Single } from '../http/answers/schema.ts'
import { adminEndpoint } from './gate.ts'

const Part = Type.Object(
  {
    name: OneOf(PARTS, { title: 'PartName' }),
    state: OneOf(CONDITIONS, {
      title: 'PartState',
      description: '`degraded` works with limits; `off` is not set up',
    }),
    since: Instant({
      description: 'When this process first saw it in this state; it looks once a minute and when asked',
    }),
    message: Sentence(),
    advice: Nullable(Sentence({ description: 'What to do about it; null when there is nothing to do' })),
  },
  { title: 'Part' },
)

const Health = Type.Object(
  {
    version: Type.String(),
    started_at: Instant(),
    node: Type.String({ description: 'The host name of the node that answers' }),
    engine: OneOf(['embedded', 'postgres'], { title: 'Engine' }),
    feed_lag_seconds: Nullable(
      Type.Number({
        description:
          'For how long the oldest change that is committed has not been shown in the feed, because a transaction that began before it is still open; 0 when all are shown. Null while the database does not answer',
      }),
    ),
    parts: Type.Array(Part),
  },
  {
    title: 'Health',
    examples: [
      {
        version: '1.7.0',
        started_at: '2026-11-15T08:00:00.000Z',
        node: 'diwan-1',
        engine: 'postgres',
        feed_lag_seconds: 0,
        parts: [
          {
            name: 'mail',
            state: 'down',
            since: '2026-11-15T08:30:00.000Z',
            message: 'connect ECONNREFUSED 10.0.0.25:25',
            advice: 'Check that the mail server runs and that SMTP_URL is right. Mails wait and are tried again.',
          },
        ],
      },
    ],
  },
)

export const getHealth = adminEndpoint({
  name: 'get_health',
  since: '1.6.0',
  operation: 'health:read',
  who: 'operator',
  summary: 'Get the health of each part',
  description:
    'Each part is checked when you ask, for two seconds at most; an answer may be three seconds old. It is that of the node that you reach.',
  method: 'GET',
  at: ['/health'],
  returns: Single(Health),
  async run({ health, about }) {
    const [parts, feed_lag_seconds] = await Promise.all([health.look(), about.feedLag()])
    const { version, startedAt, node, engine } = about
    return { data: { version, started_at: startedAt, node, engine, feed_lag_seconds, parts } }
  },
})
