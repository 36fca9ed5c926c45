import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRedisBurst } from '../../src/adapters/burst-redis.ts'
import type { BurstThrottle } from '../../src/domain/ports/burst-throttle.ts'
import type { Bound, SharedPlaces } from '../../src/domain/ports/shared-places.ts'
import { describeWith } from '../support/describe-with.ts'
import { type StartedServer, startRedis, until } from '../support/servers.ts'
import { type SlowProxy, startSlowProxy } from '../support/slow-proxy.ts'

const PER_MINUTE = 3
/** Seconds that are left of it, also when a few have passed. */
const A_MINUTE = expect.closeTo(60, -1)

describeWith('redis', 'A throttle that two nodes share through Redis', ({ redis: program }) => {
  let redis: StartedServer
  let proxy: SlowProxy
  let nodes: BurstThrottle[]
  let said: string[]
  beforeAll(async () => {
    redis = await startRedis(program)
    proxy = await startSlowProxy({ port: Number(new URL(redis.url).port), host: '127.0.0.1' })
    said = []
    nodes = [1, 2].map(() =>
      createRedisBurst(`redis://127.0.0.1:${proxy.port}`, {
        perMinute: PER_MINUTE,
        onStateChange: state => said.push(state),
      }),
    )
    await until(isShared)
  })
  afterAll(async () => {
    process.kill(redis.pid, 'SIGCONT')
    await Promise.all(nodes.map(node => node.close()))
    await redis.stop()
  })

  let names = 0

  /** What the one has admitted the other refuses. */
  async function isShared(): Promise<boolean> {
    const name = `key:${++names}`
    for (let n = 0; n < PER_MINUTE; n++) await nodes[n % 2]?.admit(name)
    const waits = await Promise.all(nodes.map(node => node.admit(name)))
    return waits.every(wait => wait > 0)
  }

  /** Calls as the API makes them, two questions each, and as they come: whatever becomes of those before. Gives their times. */
  async function callsFor(ms: number): Promise<number[]> {
    const call = async (n: number) => {
      const began = performance.now()
      await nodes[n % 2]?.admit(`ip:${++names}`)
      await nodes[n % 2]?.admit(`key:${++names}`)
      return performance.now() - began
    }
    const calls: Promise<number>[] = []
    for (const end = performance.now() + ms; performance.now() < end; await sleep(4)) calls.push(call(calls.length))
    return Promise.all(calls)
  }

  it('and places that are held on one of them are held on both, until they are given back', async () => {
    const bounds = [
      { name: 'streams:key:1', most: 2 },
      { name: 'streams', most: 3 },
    ]
    const [here, there] = nodes.map(({ places }) => places) as [SharedPlaces, SharedPlaces]
    const first = await here.hold(bounds)
    await there.hold(bounds)
    expect(await here.hold(bounds)).toEqual({ full: bounds[0] })
    const other = [{ name: 'streams:key:2', most: 2 }, bounds[1] as Bound]
    await here.hold(other)
    expect(await there.hold(other)).toEqual({ full: bounds[1] })
    if (!first.full) first.giveBack()
    await until(async () => !(await there.hold(bounds)).full)
    expect(await here.hold(other)).toEqual({ full: bounds[1] })
  })

  it('goes on by the count of each node while Redis hangs until the connection is made anew, and is shared again soon after', {
    tags: 'long',
  }, async () => {
    said.length = 0
    const late = [`ip:${++names}`, `key:${++names}`]
    process.kill(redis.pid, 'SIGSTOP')
    const admitted = await nodes[0]?.admitMany(late, 2)
    const times = await callsFor(8_000)
    const share = (ms: number) => times.filter(time => time > ms).length / times.length
    expect(times.length).toBeGreaterThan(100)
    // Those that came before it was noticed wait a moment, the others do not, and nobody waits until it is over.
    expect(share(200)).toBeLessThan(0.5)
    expect(share(2_000)).toBe(0)
    const [name, waits] = [`key:${++names}`, [] as unknown[]]
    for (let n = 0; n <= PER_MINUTE; n++) waits.push(await nodes[0]?.admit(name))
    expect(waits).toEqual([0, 0, 0, A_MINUTE])
    expect((await nodes[0]?.admitMany([name, `ip:${++names}`], 1))?.refused).toEqual({ name, wait: A_MINUTE })
    expect(said).toEqual(['alone', 'alone'])

    process.kill(redis.pid, 'SIGCONT')
    await until(isShared)
    expect(said).toEqual(['alone', 'alone', 'shared', 'shared'])
    // It is not asked now for what each node has decided by itself.
    expect(admitted?.refused).toBeUndefined()
    expect((await nodes[1]?.admitMany(late, PER_MINUTE))?.refused).toBeUndefined()
  })

  it.each([60, 400])(
    'goes on by the count of each node while every answer takes %i ms, and is shared again after',
    { tags: 'long' },
    async delay => {
      proxy.delayMs = delay
      const times = await callsFor(5_000)
      // Those that come before it is noticed wait, and now and then one that tries again whether it is over.
      const later = times.slice(times.length / 2)
      expect(later.filter(time => time >= delay).length / later.length).toBeLessThan(0.2)
      expect(await (nodes[0] as BurstThrottle).check().catch(({ message }: Error) => message)).toMatch(/by itself/)
      proxy.delayMs = 0
      await until(isShared, 10_000)
      await until(async () => (await nodes[0]?.check())?.state === 'ok')
    },
  )

  it('is shared again at once after a Redis that was slow once, and makes no word of it', async () => {
    // Its silence counts from its last answer.
    await until(isShared)
    said.length = 0
    process.kill(redis.pid, 'SIGSTOP')
    const waiting = nodes.map(node => node.admit('key:slow'))
    expect(await Promise.all(waiting)).toEqual([0, 0])
    process.kill(redis.pid, 'SIGCONT')
    // Sooner than a connection is made anew.
    await until(isShared, 4_000)
    expect(said).toEqual([])
  })

  it('admits several of several names at once on whichever node, or none, and says who has to wait', async () => {
    const [ip, key, other] = [`ip:${++names}`, `key:${++names}`, `key:${++names}`]
    const admit = (node: number, of: string[], count: number) => (nodes[node] as BurstThrottle).admitMany(of, count)
    expect((await admit(0, [ip, key], 2)).refused).toBeUndefined()
    expect((await admit(1, [ip, other], 2)).refused).toEqual({ name: ip, wait: A_MINUTE })
    expect((await admit(1, [other], 3)).refused).toBeUndefined()
    expect((await admit(0, [key, other], 1)).refused).toEqual({ name: other, wait: A_MINUTE })
    expect([await nodes[1]?.admit(ip), await nodes[0]?.admit(key)]).toEqual([0, 0])
    expect([await nodes[0]?.admit(ip), await nodes[1]?.admit(key)]).toEqual([A_MINUTE, A_MINUTE])
    expect((await admit(0, [`ip:${++names}`], PER_MINUTE + 1)).refused).toMatchObject({ wait: A_MINUTE })
  })

  it('takes back what was admitted together, and nothing else', async () => {
    const [ip, key] = [`ip:${++names}`, `key:${++names}`]
    await nodes[0]?.admit(ip)
    const admission = await nodes[0]?.admitMany([ip, key], 2)
    expect(await nodes[1]?.admit(ip)).toEqual(A_MINUTE)
    await admission?.takeBack()
    const waits = []
    for (let n = 0; n < PER_MINUTE; n++) waits.push(await nodes[1]?.admit(ip), await nodes[1]?.admit(key))
    expect(waits).toEqual([0, 0, 0, 0, A_MINUTE, 0])
  })

  it('of a hundred batches at the same moment admits as many as there is room for', async () => {
    const name = `key:${++names}`
    const asked = Array.from({ length: 100 }, (_, n) =>
      (nodes[n % 2] as BurstThrottle).admitMany([name, `ip:crowd-${n}`], 2),
    )
    const admitted = (await Promise.all(asked)).filter(({ refused }) => !refused)
    expect(admitted.length).toBe(1)
  })

  it('admits no more than the limit on one node in a minute in which Redis falls silent or comes back', async () => {
    const admit = async (name: string) => (await nodes[0]?.admit(name)) as number
    const [before, after] = [`key:${++names}`, `key:${++names}`]
    await until(isShared)
    expect([await admit(before), await admit(before)]).toEqual([0, 0])
    process.kill(redis.pid, 'SIGSTOP')
    expect([await admit(before), await admit(before)]).toEqual([0, A_MINUTE])
    for (let n = 0; n < PER_MINUTE; n++) expect(await admit(after)).toBe(0)
    process.kill(redis.pid, 'SIGCONT')
    await until(isShared, 10_000)
    expect(await admit(after)).toEqual(A_MINUTE)
    // What one node refuses takes nothing from the others.
    for (let n = 0; n < PER_MINUTE; n++) expect(await nodes[1]?.admit(after)).toBe(0)
  })
})
