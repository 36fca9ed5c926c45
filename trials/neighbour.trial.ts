import { describe, expect, it } from 'vitest'
import { doItsWorst, fillLists } from '../test/rounds/worst-company.ts'
import { ENGINES, useServerOn } from '../test/support/both-engines.ts'
import type { Answer } from '../test/support/diwan.ts'
import { newList, newTask } from '../test/support/factories.ts'
import { p99, ratio, timesOf } from '../test/support/latency.ts'
import { random } from '../test/support/random.ts'
import { rounds, tell } from '../test/support/trial.ts'

const TASKS = rounds(10_000, 150_000)
const CALLS = rounds(200, 300)
const WINDOWS = rounds(20, 30)
const USUAL_WINDOWS = 5
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
    ]
    const oneOf = (calls: (() => Promise<Answer>)[]) => async () => {
      const { status, body } = await (calls[Math.floor(random() * calls.length)] as (typeof calls)[number])()
      if (status >= 300) faults.push(`${status} ${JSON.stringify(body)}`)
      const ready = await fetch(`${url}/ready`)
      if (ready.status !== 200) faults.push(`/ready: ${ready.status}`)
    }
    const upload = () => other.api.post(`/projects/${project.id}/files`, { name: `${random()}.txt`, content: PLAN })
    const kinds = [
      { name: 'calls', count: CALLS, call: oneOf(ordinary), during: [] as number[], usual: [] as number[] },
      { name: 'uploads', count: CALLS / 10, call: oneOf([upload]), during: [] as number[], usual: [] as number[] },
    ]
    const measureUsual = async () => {
      for (const { count, call, usual } of kinds) usual.push(p99(await timesOf(USUAL_WINDOWS * count, call)))
    }
    const lists = await fillLists(using.server, worst, 2 * WINDOWS, TASKS)
    await measureUsual()
    const busy = await doItsWorst(using.server, worst)
    // Uploads are scanned after they were answered, which would delay the calls of the other by its own work.
    for (const { count, call, during } of kinds)
      for (const list of lists.splice(0, WINDOWS)) {
        const deleting = worst.api.delete(`/lists/${list}`)
        during.push(...(await timesOf(count, call)))
        expect((await deleting).status).toBe(200)
        expect(faults).toEqual([])
      }
    const done = await busy.stop()
    await measureUsual()
    const times = kinds.map(({ during, usual }) => ratio(p99(during), usual))
    tell('neighbour', {
      engine,
      tasks: TASKS,
      'its calls': done.calls,
      'of these served': done.served,
      ...Object.fromEntries(
        kinds.flatMap(({ name, count, during, usual }, n) => [
          [`p99 of the other's ${name} in ms`, p99(during)],
          [`of the first ${count}`, p99(during.slice(0, count))],
          [`usually, ${name}`, Math.max(...usual)],
          [`times, ${name}`, times[n]],
        ]),
      ),
    })
    expect(done.served).toBeGreaterThan(0)
    expect(Math.max(...times)).toBeLessThanOrEqual(3)
  })
})
