import { describe, expect, it } from 'vitest'
import { LoadUnderUpgrade } from '../test/rounds/two-releases.ts'
import { describeWith } from '../test/support/describe-with.ts'
import { newList } from '../test/support/factories.ts'
import { random } from '../test/support/random.ts'
import { useReleasedNodes, useReleases } from '../test/support/released-nodes.ts'
import type { Release } from '../test/support/releases.ts'
import { type Env, embedded, type ServerProcess, serve } from '../test/support/server-process.ts'
import { askPostgres, freePort, until } from '../test/support/servers.ts'
import { hasTakenWrites } from '../test/support/taken-writes.ts'
import { rounds, tell } from '../test/support/trial.ts'

const EXCHANGES = rounds(2, 60)
const WRITERS = 3
const NODES = 2
const PEOPLE = 2

const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)] as T

const releases = useReleases()

/** Forward and back in any order, but each of both at least once; one exchange in three is a kill, the second always. */
function plannedExchanges(): { node: number; release: Release; signal: 'SIGTERM' | 'SIGKILL' }[] {
  const { previous, next } = releases
  return Array.from({ length: EXCHANGES }, (_, n) => ({
    node: Math.floor(random() * NODES),
    release: n === 0 ? next : n === 1 ? previous : pick([previous, next]),
    signal: n === 1 || random() < 1 / 3 ? 'SIGKILL' : 'SIGTERM',
  }))
}

/** Works while the exchanges are made, one after some more writes each, and then has everything told. */
async function keepLoaded(load: LoadUnderUpgrade, exchange: () => AsyncGenerator<void>): Promise<void> {
  let [isOver, isWritten] = [false, false]
  const keepOn = (work: () => Promise<void>) => work().catch(error => void load.failed.push(error.message))
  const from = await load.endOfFeed()
  const following = keepOn(() => load.follow(from, () => isWritten))
  const writing = Array.from({ length: WRITERS }, () => keepOn(() => load.write(() => isOver)))
  const moreWrites = async () => {
    const enough = load.tasks.length + 5 + random() * 20
    await until(async () => load.tasks.length >= enough || load.failed.length > 0)
  }
  await moreWrites()
  for await (const _ of exchange()) await moreWrites()
  isOver = true
  await Promise.all(writing)
  await until(async () => load.told.length >= load.everything().length || load.failed.length > 0)
  isWritten = true
  await following
  load.expectToldOnce()
}

describeWith(['postgres', 'haproxy'], 'Two releases on one PostgreSQL, behind a proxy', () => {
  const running = useReleasedNodes(releases, NODES)
  const { nodes } = running

  it(`are exchanged ${EXCHANGES} times without a failed call, and nothing is lost, told twice or left out`, async () => {
    const { company, proxy, receiver, mail, projectId, listId } = running
    let kills = 0
    let isDown = false
    const load = new LoadUnderUpgrade(
      async (path, sent) => {
        const answer = await proxy.ask(path, sent).catch((error: Error) => error)
        // What a killed node was doing is cut, and the proxy says so in its own words. Nothing else may be.
        const isCut = answer instanceof Error || (answer.status > 500 && !answer.text.startsWith('{'))
        if (isCut && isDown) return undefined
        if (answer instanceof Error) throw answer
        return answer
      },
      { key: company.key, projectId, listId },
    )

    await keepLoaded(load, async function* () {
      for (const { node, release, signal } of plannedExchanges()) {
        isDown = signal === 'SIGKILL'
        await nodes[node]?.end(signal)
        if (isDown) kills++
        await running.start(node, release)
        await until(() => hasTakenWrites(nodes[node] as ServerProcess))
        isDown = false
        yield
      }
    })

    const kept = await askPostgres(
      running.database.url,
      `select json_agg(ref)::text from tasks where notes like '%Two desks%'`,
    )
    expect(JSON.parse(kept).sort()).toEqual(load.tasks.toSorted())
    await takeOver()
    const messages = () => new Map(receiver.received.map(({ headers, body }) => [headers['webhook-id'], body]))
    await until(async () => messages().size >= load.everything().length)
    const told = [...messages().values()].map(({ type, id }) => `${type.replace('task.', '')} ${id}`)
    expect(told.sort()).toEqual(load.everything())
    // One that was sent by a node that was killed before it could note that has the same id.
    const mails = () => new Set(mail.received.map(({ to, headers }) => `${to} ${headers['message-id']}`))
    const expected = PEOPLE * load.discussions.length
    await until(async () => mails().size >= expected)
    expect(mails().size).toBe(expected)
    expect(mail.received.length - expected).toBeLessThanOrEqual(kills * 2)
    tell('upgrade', {
      ...{ engine: 'postgres', exchanges: EXCHANGES, kills, tasks: load.tasks.length, repeated: load.repeated },
      ...{ messages: messages().size, mails: mail.received.length },
    })
  })

  /** What a killed node held is released after a minute. There is no need to wait for that once no other node runs. */
  async function takeOver(): Promise<void> {
    for (const node of nodes) await node.end('SIGTERM')
    await askPostgres(
      running.database.url,
      `update webhook_deliveries set next_attempt_at = now() where claim is not null`,
    )
    await askPostgres(
      running.database.url,
      `update pgboss.job set state = 'retry', start_after = now() where state in ('active', 'retry')`,
    )
    await running.start(0, releases.next)
  }
})

describe('Two releases on one embedded database, in turns', () => {
  it(`are exchanged ${EXCHANGES} times, and nothing is lost, told twice or left out`, async () => {
    const env: Env = { ...embedded(), PORT: String(await freePort()) }
    let server = await serve(env, [], releases.previous.main)
    const company = await server.diwan.company({ daily_calls: 1_000_000 })
    const projectId = (await server.diwan.project(company)).id
    const listId = (await newList(company, projectId)).id
    let isDown = false
    const load = new LoadUnderUpgrade(
      async (path, { method, headers, body }) => {
        const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
        const sent = {
          method,
          headers: { ...headers, ...type },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }
        const answer = await fetch(server.url + path, sent).catch((error: Error) => error)
        if (isDown && (answer instanceof Error || answer.status === 503)) return undefined
        if (answer instanceof Error) throw answer
        return { status: answer.status, text: await answer.text() }
      },
      { key: company.key, projectId, listId },
    )
    let kills = 0
    await keepLoaded(load, async function* () {
      for (const { release, signal } of plannedExchanges()) {
        isDown = true
        await server.end(signal)
        if (signal === 'SIGKILL') kills++
        server = await serve(env, [], release.main)
        isDown = false
        yield
      }
    })
    const total = (await load.call('GET', `/lists/${listId}/tasks?limit=1`)).meta.total
    expect(total).toBe(load.tasks.length)
    tell('upgrade', {
      ...{ engine: 'embedded', exchanges: EXCHANGES, kills, tasks: load.tasks.length, repeated: load.repeated },
    })
    await server.end('SIGTERM')
  })
})
