import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Destination, isDone, manyRows, written } from '../support/importing.ts'
import { random } from '../support/random.ts'
import { launch } from '../support/server-process.ts'
import { tell } from '../support/trial.ts'

const LISTS = 3
const MOST_IN_BATCH = 100

/** Kills an import at random moments and starts it again each time. In the end each row is there once, in order. */
export async function expectEachRowOnce(
  to: Destination,
  rows: number,
  kills: number,
  { hasIds = false } = {},
): Promise<void> {
  const file = written(manyRows(rows, LISTS, { hasIds }))
  const counts: number[] = []
  for (let kill = 0; kill < kills; kill++) {
    const importing = launch(to.env, ['import', file, '--project', to.project])
    // Enough rows are left at the last kill that the import cannot finish before it.
    const enough = rows * ((kill + random() * 0.5) / kills)
    // Half of the kills come while a batch is there that the import has not noted yet.
    const isUnnoted = (count: number) => hasIds || kill % 2 === 1 || tasksDone(file) < count
    let count = -1
    while (!(count >= enough && isUnnoted(count)) && !importing.hasExited()) count = await to.count()
    counts.push(count)
    if (kill % 2 === 1) await sleep(random() * 60)
    expect(importing.hasExited(), importing.stderr()).toBe(false)
    await importing.end('SIGKILL')
  }
  const { code, stdout, stderr } = await to.run(file, '--json')
  const said = hasIds ? /^/ : /^Continuing after \d+ of \d+ tasks\n/
  expect([code, stderr]).toEqual([0, expect.stringMatching(said)])
  // What a kill left created and not yet completed is completed now, which is a change.
  expect(JSON.parse(stdout)).toMatchObject({ tasks: rows, changed: expect.toSatisfy(n => n <= MOST_IN_BATCH) })
  const tasksOf = (list: number) =>
    Array.from({ length: rows }, (_, n) => n).flatMap(n => (n % LISTS === list ? [[`Task ${n}`, isDone(n)]] : []))
  const found = Object.entries(await to.lists())
  expect(found.map(([title]) => title)).toEqual(['List 0', 'List 1', 'List 2'])
  for (const [n, [, tasks]] of found.entries())
    expect(tasks.map(({ title, completed }) => [title, completed])).toEqual(tasksOf(n))
  tell(hasIds ? 'import, with ids' : 'import', { rows, kills, 'there at a kill': counts.join(', ') })
}

/** The number of tasks that an import has created so far; -1 if it has not begun. */
export function tasksDone(file: string): number {
  try {
    return JSON.parse(readFileSync(`${file}.diwan-import.json`, 'utf8')).done.tasks
  } catch {
    return -1
  }
}
