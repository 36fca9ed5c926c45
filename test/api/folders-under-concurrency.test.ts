import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Answer, TestCompany } from '../support/diwan.ts'
import { created } from '../support/diwan.ts'
import { roundsOfRace } from '../support/races.ts'
import { removeFolders } from '../support/worker.ts'

const app = useApp()

const ROUNDS = roundsOfRace(30)
const LINK = { name: 'Plan', external_url: 'https://example.com/plan' }
const soon = () => sleep(Math.random() * 8)
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
const isDone = ({ status }: Answer) => status === 200 || status === 201

async function rootedIn(company: TestCompany, table: 'folders' | 'files'): Promise<number> {
  const { count } = await app.database.db.one<{ count: number }>(
    table === 'folders'
      ? sql`select count(*) from folders where company_id = ${company.id}`
      : sql`select count(*) from files where company_id = ${company.id}`,
  )
  return count
}

describe('A folder deleted while others below it are moved, renamed and filled', () => {
  it('takes exactly what was in it, and nobody waits in a circle', async () => {
    const company = await app.diwan.company()
    const project = await app.diwan.project(company)
    const { api } = company
    const at = `/projects/${project.id}`
    const make = async (fields: object) => (await created(api.post(`${at}/folders`, fields))).data
    const safe = await make({ name: 'Safe' })
    let folders = 1
    const startedAt = performance.now()
    for (let round = 0; round < ROUNDS; round++) {
      const doomed = await make({ name: `Doomed ${round}` })
      const below = await Promise.all(times(3, n => make({ name: `${round}-${n}`, parent_folder_id: doomed.id })))
      const patch = (id: number, body: object) => soon().then(() => api.patch(`${at}/folders/${id}`, body))
      const moves = below.map(({ id }) => patch(id, { parent_folder_id: safe.id }))
      const renames = below.map(({ id, name }) => patch(id, { name: `${name} again` }))
      const links = times(3, () => soon().then(() => api.post(`${at}/links`, { ...LINK, folder_id: doomed.id })))
      const removal = await soon().then(() => api.delete(`${at}/folders/${doomed.id}`))
      const [moved, renamed, linked] = await Promise.all([Promise.all(moves), Promise.all(renames), Promise.all(links)])

      const faults = [...moved, ...renamed].filter(({ status }) => status !== 200 && status !== 404)
      expect([round, faults, removal.status]).toEqual([round, [], 200])
      expect([round, linked.filter(answer => !isDone(answer) && answer.status !== 422)]).toEqual([round, []])
      const saved = moved.filter(isDone).length
      const { destroyed } = removal.body.data
      expect([round, destroyed.subfolders]).toEqual([round, below.length - saved])
      expect([round, destroyed.files]).toEqual([round, linked.filter(isDone).length])
      folders += saved
      // PostgreSQL resolves a deadlock by itself, but each one costs a second.
      expect(performance.now() - startedAt, `after round ${round}`).toBeLessThan(50_000)
    }
    await removeFolders(app)
    expect([await rootedIn(company, 'folders'), await rootedIn(company, 'files')]).toEqual([folders, 0])
  })
})
