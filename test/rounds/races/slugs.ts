import { expect } from 'vitest'
import type { ServerProcess } from '../../support/server-process.ts'
import { anyNode, expectRightCounts, race, statusesOf } from './racing.ts'

const AT_ONCE = 5

/** Several create records of one name at once: all are there, and each is found by a slug that no other has. */
export async function expectDistinctSlugs(nodes: ServerProcess[], rounds: number): Promise<void> {
  const [first] = nodes as [ServerProcess]
  const company = await first.diwan.company()
  const { id } = await first.diwan.project(company)
  const list = (await company.api.post(`/projects/${id}/lists`, { title: 'Furniture' })).body.data
  const places: Record<string, { at: string; body: (name: string) => object }> = {
    projects: { at: '/projects', body: name => ({ name }) },
    lists: { at: `/projects/${id}/lists`, body: title => ({ title }) },
    tasks: { at: `/projects/${id}/lists/${list.id}/tasks`, body: title => ({ title }) },
    discussions: { at: `/projects/${id}/discussions`, body: title => ({ title }) },
  }
  for (let round = 0; round < rounds; round++) {
    for (const [what, { at, body }] of Object.entries(places)) {
      const name = `Round ${round}`
      const create = () => anyNode(nodes, company).post(at, body(name))
      const made = await race(...Array.from({ length: AT_ONCE }, () => create))
      expect([what, statusesOf(made)]).toEqual([what, Array.from({ length: AT_ONCE }, () => 201)])
      const slugs = made.map((_, n) => `round-${round}${n === 0 ? '' : `-${n + 1}`}`)
      const found = await Promise.all(slugs.map(slug => anyNode(nodes, company).get(`${at}/${slug}`)))
      const refs = (answers: typeof made) => answers.map(answer => answer.body.data?.id).sort()
      expect([what, refs(found)]).toEqual([what, refs(made)])
    }
    const folders = await race(
      ...Array.from(
        { length: AT_ONCE },
        () => () => anyNode(nodes, company).post(`/projects/${id}/folders`, { name: `Round ${round}` }),
      ),
    )
    // A folder has no slug: its name is its own. One is created, and the others are told.
    expect(statusesOf(folders).sort()).toEqual([201, ...Array.from({ length: AT_ONCE - 1 }, () => 422)])
  }
  await expectRightCounts(company)
}
