import { beforeAll, describe, expect, it } from 'vitest'
import { MEANT, NOT_MEANT, type Pair } from '../fixtures/search-pairs.ts'
import { HELD_OUT } from '../fixtures/search-pairs-held-out.ts'
import { useApp } from '../support/app.ts'
import { newList } from '../support/factories.ts'

const app = useApp()

/** A company that has tasks with these names among so many others that its indexes are used, and a search for tasks in it. */
async function companyWith(names: Iterable<string>) {
  const company = await app.diwan.company()
  const list = await newList(company, (await app.diwan.project(company)).id)
  const others = Array.from({ length: 60 }, (_, n) => `Nothing ${n}`)
  const tasks = [...new Set([...names, ...others])].map(title => ({ title }))
  for (let n = 0; n < tasks.length; n += 50)
    expect((await company.api.post(`/lists/${list.id}/tasks/batch`, { tasks: tasks.slice(n, n + 50) })).status).toBe(
      201,
    )
  return async (q: string, per_type = 25): Promise<string[]> => {
    const { body } = await company.api.get(`/search?types=task&per_type=${per_type}&q=${encodeURIComponent(q)}`)
    return body.data.results.map(({ title }: { title: string }) => title)
  }
}

type Search = Awaited<ReturnType<typeof companyWith>>

const namesOf = (pairs: Pair[]) => pairs.map(([, name]) => name)

async function missing(pairs: Pair[], search: Search): Promise<Pair[]> {
  const lost: Pair[] = []
  for (const [query, name] of pairs) if (!(await search(query)).includes(name)) lost.push([query, name])
  return lost
}

describe('What people mean is found', () => {
  it.each(Object.entries(MEANT))('by other %s', async (_, pairs) => {
    expect(await missing(pairs, await companyWith(namesOf(pairs)))).toEqual([])
  })

  it('nearly always, also where no rule was made for it', async () => {
    const unseen = await missing(HELD_OUT, await companyWith(namesOf(HELD_OUT)))
    expect(unseen.length).toBeLessThanOrEqual(HELD_OUT.length * 0.2)
  })
})

describe('What nobody means', () => {
  let search: Search
  beforeAll(async () => {
    search = await companyWith(namesOf(NOT_MEANT))
  })

  it.each(NOT_MEANT)('by %s is not found: %s', async (query, name) => {
    expect(await search(query)).not.toContain(name)
  })
})
