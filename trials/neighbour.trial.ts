import { describe, expect, it } from 'vitest'
import { doItsWorst, fillLists } from '../test/rounds/worst-company.ts'
import { ENGINES, useServerOn } from '../test/support/both-engines.ts'
import type { Answer } from '../test/support/diwan.ts'
import { newList, newTask } from '../test/support/factories.ts'
import { median, p99Of, ratio, usualP99 } from '../test/support/latency.ts'
import { random } from '../test/support/random.ts'
import { rounds, tell } from '../test/support/trial.ts'

const TASKS = rounds(3_000, 150_000)
const WINDOWS = rounds(3, 30)
const CALLS = rounds(100, 300)
/** Comes in several pieces, and so has to find room beside the bodies of others. */
const PLAN = 'Desks, chairs and lamps. '.repeat(8_000)

describe.each(ENGINES)('On %s', engine => {
  const using = useServerOn(engine, () => ({ ALLOW_PRIVATE_WEBHOOKS: 'on' }))

  it(`a company that does its worst, and deletes ${TASKS} tasks, does not delay another beyond three times`, async () => {
    const { diwan, url } = using.server
    const [worst, other] = [await diwan.company(), await diwan.company()]
    const project = await diwan.project(other)
    const list = await newList(other, project.id)
    const task = await newTask(other, list.id)
    const faults: string[] = []
    const ordinary: (() => Promise<Answer>)[] = [
      () => other.api.get('/projects'),
      () => other.api.get(`/lists/${list.id}/tasks`),
      () => other.api.get(`/tasks/${task.id}`),
      () => other.api.post(`/lists/${list.id}/tasks`, { title: 'Buy desks' }),
      () => other.api.patch(`/tasks/${task.id}`, { title: `Buy ${random()}` }),
      () => other.api.post(`/projects/${project.id}/files`, { name: `Plan ${random()}.txt`, content: PLAN }),
    ]
    const call = async () => {
      const { status, body } = await (ordinary[Math.floor(random() * ordinary.length)] as (typeof ordinary)[number])()
      if (status >= 300) faults.push(`${status} ${JSON.stringify(body)}`)
      const ready = await fetch(`${url}/ready`)
      if (ready.status !== 200) faults.push(`/ready: ${ready.status}`)
    }
    const lists = await fillLists(using.server, worst, WINDOWS, TASKS)
    const usual = [await usualP99(3, CALLS, call)]
    const busy = await doItsWorst(using.server, worst)
    const during: number[] = []
    for (const list of lists) {
      const deleting = worst.api.delete(`/lists/${list}`)
      during.push(await p99Of(CALLS, call))
      expect((await deleting).status).toBe(200)
    }
    await busy.stop()
    usual.push(await usualP99(3, CALLS, call))
    const times = ratio(median(during), usual)
    const [p99, usually] = [median(during), Math.max(...usual)]
    tell('neighbour', {
      engine,
      tasks: TASKS,
      'its calls': busy.calls(),
      'of these served': busy.served(),
      'p99 of the other in ms': p99,
      usually,
      times,
    })
    expect(busy.served()).toBeGreaterThan(0)
    expect(faults).toEqual([])
    expect(times).toBeLessThanOrEqual(3)
  })
})
