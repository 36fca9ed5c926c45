import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { History, type Write } from '../test/rounds/history.ts'
import { contradictions, type Outcome, spendingOf } from '../test/rounds/history-checker.ts'
import { Clients } from '../test/rounds/history-clients.ts'
import { type HistoryPlace, onEmbedded, onPostgres } from '../test/rounds/history-places.ts'
import { Mirror, readEverything } from '../test/rounds/mirror.ts'
import { describeWith } from '../test/support/describe-with.ts'
import { type Client, created, type TestCompany } from '../test/support/diwan.ts'
import { startPlannedProxy } from '../test/support/planned-proxy.ts'
import { random } from '../test/support/random.ts'
import { startReceiver } from '../test/support/receiver.ts'
import { type ServerProcess, serve } from '../test/support/server-process.ts'
import { freePort, until } from '../test/support/servers.ts'
import { rounds, tell } from '../test/support/trial.ts'

const CLIENTS = 16
/** Of each kind. */
const FAULTS = rounds(1, 12)
const WRITES_BETWEEN = rounds(60, 300)
/** PostgreSQL ends what takes longer than four seconds, so in the long form some of what waits fails. */
const LONGEST_PAUSE_MS = rounds(1_500, 8_000)
/** Of the requests, so many are cut before they reach the server, and so many before their answer reaches the client. */
const CUT = { before: 0.02, after: 0.05 }
/** The receiver refuses some messages, which are then tried again. */
const REFUSED = 0.02
/** Of what does not fit. */
const MOST_TOLD = 20
const REPEATED_IN_THE_END = rounds(30, 300)

describe(`${CLIENTS} clients of one company, while the server is killed, connections are cut and the database stands still`, () => {
  it('leave a history without a contradiction on the embedded database', async () => expectHistory(onEmbedded()))

  describeWith('postgres', 'on PostgreSQL', () =>
    it('leave a history without a contradiction', async () => {
      const place = await onPostgres()
      await expectHistory(place)
      await place.remove()
    }),
  )
})

async function expectHistory(place: HistoryPlace): Promise<void> {
  const since = performance.now()
  const env = { ...place.env, PORT: String(await freePort()), ALLOW_PRIVATE_WEBHOOKS: 'on' }
  let server = await serve(env)
  const proxy = await startPlannedProxy(server.url)
  const company = await server.diwan.company({ daily_calls: 10_000_000 })
  const receiver = await startReceiver(response => response.writeHead(random() < REFUSED ? 500 : 204).end())
  const webhook = (await created(company.admin.post('/webhooks', { name: 'All', url: receiver.url, kinds: ['*'] })))
    .data
  const history = new History(proxy.url, company.key)
  const mirror = new Mirror(history.call)
  const start = await mirror.begin()
  const clients = new Clients(history)
  await clients.furnish()

  proxy.byRequest = () => {
    const chance = random()
    if (chance < CUT.before) return 'cut before'
    return chance < CUT.before + CUT.after ? 'cut after' : 'pass'
  }
  let [isOver, isWritten] = [false, false]
  const working = Promise.all(Array.from({ length: CLIENTS }, () => clients.work(() => isOver)))
  const following = mirror.follow(start, () => isWritten)

  // A call to a server that is down can have no effect, and is not worth making.
  const restart = async (signal: 'SIGKILL' | 'SIGTERM') => {
    const exit = server.end(signal)
    const isUp = exit.then(async () => {
      server = await serve(env)
    })
    history.holdUntil(isUp)
    await isUp
    return exit
  }
  const kill = () => restart('SIGKILL')
  const cut = async () => proxy.cut()
  const pause = async () => {
    const stopped = await place.databaseOf(server.pid)
    for (const pid of stopped) signal(pid, 'SIGSTOP')
    await sleep(random() * LONGEST_PAUSE_MS)
    for (const pid of stopped) signal(pid, 'SIGCONT')
  }
  const left = [kill, cut, pause].flatMap(fault => Array.from({ length: FAULTS }, () => fault))
  while (left.length > 0) {
    const enough = answeredIn(history) + 1 + random() * WRITES_BETWEEN
    await until(async () => answeredIn(history) >= enough, 120_000)
    const [fault] = left.splice(Math.floor(random() * left.length), 1)
    await fault?.()
  }
  isOver = true
  await working
  // What the server accepted from clients that were cut off is done before it stops.
  expect(await restart('SIGTERM')).toEqual({ code: 0, signal: null })
  proxy.byRequest = () => 'pass'
  const answeredOtherwise = await repeatSome(history)
  await place.settled()
  isWritten = true
  await following

  const outcome = await outcomeOf(server, history, { company, webhook, mirror, start, received: receiver.received })
  const problems = [...contradictions(history.attempts, history.writes, outcome), ...answeredOtherwise]
  expect(problems.slice(0, MOST_TOLD).join('; ')).toBe('')
  const [least, most] = spendingOf(history.attempts)
  tell(`history, ${place.env.DATABASE_URL ? 'PostgreSQL' : 'embedded'}`, {
    'faults of each kind': FAULTS,
    calls: history.attempts.length,
    writes: history.writes.length,
    acknowledged: answeredIn(history),
    'attempts without an answer': history.attempts.filter(({ answer }) => !answer).length,
    'answered 503': history.attempts.filter(({ answer }) => answer?.status === 503).length,
    replays: history.attempts.filter(({ answer }) => answer?.isReplay).length,
    spent: `${outcome.spent} of ${least} to ${most}`,
    'feed entries': outcome.feed.length,
    delivered: outcome.deliveries.filter(({ state }) => state === 'delivered').length,
    seconds: (performance.now() - since) / 1_000,
  })
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
}

const answeredIn = ({ writes }: History) => writes.filter(({ answer }) => answer && answer.status < 300).length

/** One that has just ended by itself need not be stopped. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Whatever was acknowledged under a name is answered as it was, however long ago. Returns what was not. */
async function repeatSome(history: History): Promise<string[]> {
  const named = history.writes.filter(({ method, answer }) => method === 'POST' && answer && answer.status < 300)
  const problems: string[] = []
  for (let n = 0; n < REPEATED_IN_THE_END; n++) {
    const write = named[Math.floor(random() * named.length)] as Write
    const answer = await history.send(write)
    const isReplay = answer?.headers.get('idempotency-replayed') === 'true'
    if (!isReplay || !isDeepStrictEqual(answer?.body, write.answer?.body))
      problems.push(`${write.path} was answered otherwise when ${write.name} was sent again`)
  }
  return problems
}

interface Observed {
  company: TestCompany
  webhook: { id: number }
  mirror: Mirror
  start: string
  received: { headers: Record<string, unknown> }[]
}

async function outcomeOf(
  { diwan }: ServerProcess,
  history: History,
  { company, webhook, mirror, start, received }: Observed,
): Promise<Outcome> {
  const { records, slugs, counts } = await readEverything(history.call)
  const names = [...new Set([...records.keys(), ...mirror.records.keys()])]
  const feed = await wholeFeed(history, start)
  const admin = diwan.admin(company.id, company.ownerToken)
  const path = `/webhooks/${webhook.id}/deliveries`
  // Every change is soon listed; whether it could be delivered is another question.
  await until(async () => (await admin.get(`${path}?limit=1`)).body.meta.total >= feed.length)
  const usage = await diwan.operator.get(`/companies/${company.id}/usage?days=1`)
  return {
    records: new Map(
      [...records].map(([name, { notes, description, content, body, title, name: called }]) => [
        name.split(' ')[1] as string,
        { mark: notes ?? description ?? content ?? body ?? null, title: title ?? called ?? null },
      ]),
    ),
    slugs,
    counts,
    spent: usage.body.data[0].calls,
    feed,
    followed: mirror.seen,
    differing: names.filter(name => !isDeepStrictEqual(mirror.records.get(name), records.get(name))),
    deliveries: await allOf(admin, path),
    received: new Set(received.map(({ headers }) => headers['webhook-id'] as string)),
  }
}

async function wholeFeed(history: History, start: string): Promise<Outcome['feed']> {
  const entries: Outcome['feed'] = []
  for (let after = start, isMore = true; isMore; ) {
    const { data, meta } = (await history.read(`/company/changes?after=${after}&limit=500`)).body
    entries.push(...data)
    after = meta.next_cursor
    isMore = meta.more
  }
  return entries
}

async function allOf(admin: Client, path: string): Promise<Outcome['deliveries']> {
  const all: Outcome['deliveries'] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, meta } = (await admin.get(`${path}?limit=100${cursor && `&cursor=${cursor}`}`)).body as {
      data: Outcome['deliveries']
      meta: { next_cursor: string | null }
    }
    all.push(...data)
    cursor = meta.next_cursor
  }
  return all
}
