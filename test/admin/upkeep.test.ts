import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { registerSteps } from '../../src/domain/upkeep/upkeep.ts'
import { startUpkeep } from '../../src/jobs/upkeep/start.ts'
import { STEPS, type Step } from '../../src/jobs/upkeep/steps.ts'
import { OPERATOR_TOKEN, useOwnApp } from '../support/app.ts'
import { until } from '../support/servers.ts'
import { upkeepParts } from '../support/upkeep.ts'

const app = useOwnApp()
const ask = async <T>(query: string, values: unknown[] = []) => app.database.db.raw<T>(query, values)
const stateOf = async (step: string) =>
  (
    await ask<{ is_due: boolean; is_done: boolean; removed: number; failure: string | null }>(
      `select due_at <= now() as is_due, done_at > now() - interval '1 hour' as is_done, removed, failure from upkeep where step = $1`,
      [step],
    )
  )[0]

/** All steps were last done two hours ago, as on a server that was off, and so are due. */
async function everythingIsDue(steps = STEPS): Promise<void> {
  await registerSteps(app.database.db, steps)
  await ask(`update upkeep set due_at = now(), done_at = now() - interval '100 minutes'`)
}

const health = async () =>
  (await app.diwan.operator.get('/health')).body.data.parts.find(({ name }: { name: string }) => name === 'upkeep')

async function metric(name: string, step: string): Promise<number> {
  const answer = await fetch(`${app.url}/metrics`, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } })
  return Number((await answer.text()).match(new RegExp(`^diwan_upkeep_${name}{step="${step}"} (\\S+)$`, 'm'))?.[1])
}

const running: { stop(): Promise<void> }[] = []
const start = (steps?: Step[]) => running.push(startUpkeep(upkeepParts(app), steps))
const stop = () => Promise.all(running.splice(0).map(upkeep => upkeep.stop()))
beforeEach(() => ask('delete from upkeep'))
afterEach(stop)

/** A step that counts how often it is begun. */
function counting(name: string, pieces = 1) {
  const step = {
    name,
    everySeconds: 3_600,
    begun: 0,
    async *run() {
      step.begun += 1
      for (let n = 0; n < pieces; n++) yield 1
    },
  }
  return step
}

describe('A step of the upkeep', () => {
  it('is done as soon as a process starts if it is due, and is due again after its period', async () => {
    await everythingIsDue()
    start()
    await until(async () => (await Promise.all(STEPS.map(({ name }) => stateOf(name)))).every(state => state?.is_done))
    expect(
      await ask(`select step from upkeep where due_at not between now() + every - interval '1 hour' and now() + every`),
    ).toEqual([])
    expect(await health()).toMatchObject({ state: 'ok', advice: null })
  })

  it('stays due when it was over restarts, and is not begun before', async () => {
    const step = counting('a')
    await registerSteps(app.database.db, [step])
    await ask(`update upkeep set due_at = due_at - interval '50 minutes'`)
    const due = await ask('select due_at from upkeep')
    for (let restart = 0; restart < 3; restart++) {
      await registerSteps(app.database.db, [step])
      start([step])
      await stop()
    }
    expect([await ask('select due_at from upkeep'), step.begun]).toEqual([due, 0])
  })

  it('is done although a clock that was ahead for a while has left a time of next year', async () => {
    for (const column of ['due_at', 'claimed_until']) {
      const step = counting(column)
      await registerSteps(app.database.db, [step])
      await ask(`update upkeep set due_at = now(), claim = gen_random_uuid(), claimed_until = now()`)
      await ask(`update upkeep set ${column} = now() + interval '1 year'`)
      start([step])
      await until(async () => step.begun === 1)
      await until(async () => (await stateOf(column))?.is_due === false)
      expect(await ask(`select step from upkeep where due_at > now() + every or claim is not null`)).toEqual([])
      await stop()
      await ask('delete from upkeep')
    }
  })

  it('is done once by several processes at the same moment', async () => {
    const steps = ['a', 'b', 'c', 'd'].map(name => counting(name, 3))
    await everythingIsDue(steps)
    for (let process = 0; process < 3; process++) start(steps)
    await until(async () => (await ask('select step from upkeep where due_at <= now()')).length === 0)
    expect(steps.map(({ begun }) => begun)).toEqual([1, 1, 1, 1])
    expect(await ask('select distinct removed from upkeep')).toEqual([{ removed: 3 }])
  })

  it('is left to the process that has claimed it, until that has been silent for minutes', async () => {
    const step = counting('a')
    await everythingIsDue([step])
    await ask(`update upkeep set claim = $1, claimed_until = now() + interval '1 minute'`, [randomUUID()])
    start([step])
    await stop()
    expect(step.begun).toBe(0)
    await ask('update upkeep set claimed_until = now()')
    start([step])
    await until(async () => (await stateOf('a'))?.is_done === true)
    expect(step.begun).toBe(1)
  })

  it('that is interrupted by a stop is due at once for the next process', async () => {
    const endless = {
      name: 'a',
      everySeconds: 3_600,
      run: async function* () {
        for (;;) yield 1
      },
    }
    await everythingIsDue([endless])
    start([endless])
    await until(async () => (await ask('select from upkeep where claim is not null')).length === 1)
    await stop()
    expect(await stateOf('a')).toMatchObject({ is_due: true, is_done: false, failure: null })
    const step = counting('a')
    start([step])
    await until(async () => (await stateOf('a'))?.is_done === true)
  })

  it('that fails stops no other, is named in health and metrics, and is well again when it succeeds', async () => {
    const failing = counting('a')
    const other = counting('b')
    let isWell = false
    const steps = [
      {
        ...failing,
        run: async function* () {
          yield 2
          if (!isWell) throw new Error('The disk has a fault.')
        },
      },
      other,
    ]
    await everythingIsDue(steps)
    start(steps)
    await until(async () => (await stateOf('a'))?.failure !== null && (await stateOf('b'))?.is_done === true)
    await until(async () => (await health()).state === 'degraded')
    const { message, advice } = await health()
    expect(message).toMatch(/^The step a fails since \S+Z: The disk has a fault\.$/)
    expect(advice).toContain('tried again')
    const retried = `select due_at between now() + interval '4 minutes' and now() + interval '5 minutes' as soon from upkeep where step = 'a'`
    expect(await ask(retried)).toEqual([{ soon: true }])
    expect([await metric('failures', 'a'), await metric('failures', 'b')]).toEqual([1, 0])
    await stop()

    isWell = true
    await ask('update upkeep set due_at = now()')
    start(steps)
    await until(async () => (await stateOf('a'))?.is_done === true)
    await until(async () => (await health()).state === 'ok')
    expect([await metric('failures', 'a'), await metric('removed', 'a')]).toEqual([0, 4])
  })

  it('that has not been done for two of its periods is named in health and metrics', async () => {
    await everythingIsDue()
    await ask(`update upkeep set done_at = now() - interval '121 minutes' where step = 'audit_entries'`)
    await until(async () => (await health()).message.includes('audit_entries has not been done since'))
    const { state, message, advice } = await health()
    // Catching up with calendars is due every ten minutes.
    expect([state, message.split('. ').length]).toEqual(['degraded', 2])
    expect(message).toContain('The step calendars has not been done since')
    expect(advice).toContain('Check that a worker runs')
    expect(await Promise.all(['audit_entries', 'calendars', 'changes'].map(step => metric('overdue', step)))).toEqual([
      1, 1, 0,
    ])
    const doneAt = await metric('done_timestamp_seconds', 'audit_entries')
    expect(Math.round((Date.now() / 1000 - doneAt) / 60)).toBe(121)
  })
})
