import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { isStorableText, isVisible } from '../../src/lib/text.ts'
import { useApp } from '../support/app.ts'
import { call, furnishContract, tagOf, WRITES } from '../support/contract.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { furnishWork, SLUGS } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
beforeAll(async () => {
  company = await app.diwan.company()
})

const REF = /^(prj|lst|tsk|mjl|fil)-[0-9a-hjkmnp-tv-z]{10}$/
const find = async (own: TestCompany, handle: string) => own.api.get(`/projects/${encodeURIComponent(handle)}`)
const idOf = async (own: TestCompany, handle: string) => (await find(own, handle)).body.data?.id
const rename = async (own: TestCompany, id: string, name: string) =>
  (await own.api.patch(`/projects/${id}`, { name })).body.data

describe('A ref', () => {
  it('has its prefix and 10 unmistakable characters, differs for each, and stays through a rename', async () => {
    const own = await app.diwan.company()
    const projects = await Promise.all(Array.from({ length: 20 }, () => app.diwan.project(own)))
    expect(new Set(projects.map(({ id }) => id)).size).toBe(20)
    for (const { id } of projects) expect(id).toMatch(/^prj-[0-9a-hjkmnp-tv-z]{10}$/)
    expect((await rename(own, projects[0].id, 'Renamed')).id).toBe(projects[0].id)
    for (const prefix of ['lst', 'PRJ', 'prj-prj', ''])
      expectRefusal(await find(own, projects[0].id.replace('prj', prefix)), 404, 'not_found')
  })
})

describe('A slug', () => {
  it('is made of the name, and finds its project in whichever way it is composed', async () => {
    const own = await app.diwan.company()
    for (const [name, slug] of [
      ['Website Launch', 'website-launch'],
      ['مشروع الرياض ٢٠٢٦', 'مشروع-الرياض-٢٠٢٦'],
      ['Cafe\u0301 ÉCOLE', 'caf\u00e9-\u00e9cole'],
      ['𐎠'.repeat(100), '𐎠'.repeat(80)],
    ] as const) {
      const project = await app.diwan.project(own, { name })
      expect(project.slug).toBe(slug)
      expect([await idOf(own, slug), await idOf(own, slug.normalize('NFD'))]).toEqual([project.id, project.id])
    }
    expectRefusal(await find(own, 'website-launch\u0000'), 404, 'not_found')
  })

  it('of a name without a letter is there all the same, and never has the shape of a ref', async () => {
    const own = await app.diwan.company()
    for (const name of ['🚀🚀', '..']) {
      const project = await app.diwan.project(own, { name })
      expect(project.slug).toMatch(/^[a-z]+(-2)?$/)
      expect(await idOf(own, project.slug)).toBe(project.id)
    }
    for (const name of ['prj-0123456789', 'PRJ 0123456789', 'tsk-abcdefghjk']) {
      const project = await app.diwan.project(own, { name })
      expect(project.slug).not.toMatch(REF)
      expect(await idOf(own, project.slug)).toBe(project.id)
      const renamed = await rename(own, (await app.diwan.project(own)).id, name)
      expect(renamed.slug).not.toMatch(REF)
      expect(renamed.slug).not.toBe(project.slug)
    }
  })

  it('that is taken gets -2, -3, …, and stays within 80 characters', async () => {
    const own = await app.diwan.company()
    const slugs: string[] = []
    for (const name of ['Plan', 'plan', 'PLAN!', 'b'.repeat(80), 'b'.repeat(200)])
      slugs.push((await app.diwan.project(own, { name })).slug)
    expect(slugs).toEqual(['plan', 'plan-2', 'plan-3', 'b'.repeat(80), `${'b'.repeat(78)}-2`])
    expect((await app.diwan.project(await app.diwan.company(), { name: 'Plan' })).slug).toBe('plan')
  })

  it('is distinct for 20 projects of one name created at once, and all are created', async () => {
    const own = await app.diwan.company()
    const answers = await Promise.all(Array.from({ length: 20 }, () => own.api.post('/projects', { name: 'سباق' })))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    const expected = Array.from({ length: 20 }, (_, n) => (n === 0 ? 'سباق' : `سباق-${n + 1}`))
    expect(answers.map(({ body }) => body.data.slug).sort()).toEqual(expected.sort())
  })

  it('stays when the name is sent again unchanged, however many share it', async () => {
    const own = await app.diwan.company()
    const projects = []
    for (let n = 0; n < 9; n++) projects.push(await app.diwan.project(own, { name: 'Same' }))
    for (const { id, slug } of projects) expect((await rename(own, id, 'Same')).slug).toBe(slug)
  })
})

describe('A rename', () => {
  it('makes a new slug; each retired one still resolves, on reads and writes', async () => {
    const own = await app.diwan.company()
    const { id } = await app.diwan.project(own, { name: 'الأول' })
    await rename(own, id, 'Second')
    expect((await rename(own, id, 'Third')).slug).toBe('third')
    for (const handle of [id, 'الأول', 'second', 'third']) expect(await idOf(own, handle)).toBe(id)
    const changed = await own.api.patch('/projects/second', { description: 'By its old slug' })
    expect([changed.status, changed.body.data.id, changed.body.data.slug]).toEqual([200, id, 'third'])
    expect((await own.api.get('/projects/second/members')).status).toBe(200)
    expect((await own.api.post('/projects/second/archive')).body.data.archived).toBe(true)
  })

  it('retires a slug for good: neither a new project nor a rename gets it', async () => {
    const own = await app.diwan.company()
    const { id } = await app.diwan.project(own, { name: 'Wanted' })
    await rename(own, id, 'Left')
    const created = await app.diwan.project(own, { name: 'Wanted' })
    const renamed = await rename(own, (await app.diwan.project(own, { name: 'Other' })).id, 'Wanted')
    expect([created.slug, renamed.slug]).toEqual(['wanted-2', 'wanted-3'])
    expect(await idOf(own, 'wanted')).toBe(id)
  })

  it('back to an earlier name takes the earlier slug back, any number of times', async () => {
    const own = await app.diwan.company()
    const { id } = await app.diwan.project(own, { name: 'Here' })
    for (const [name, slug] of [
      ['There', 'there'],
      ['Here', 'here'],
      ['There', 'there'],
      ['HERE', 'here'],
    ] as const) {
      expect((await rename(own, id, name)).slug).toBe(slug)
      expect([await idOf(own, 'here'), await idOf(own, 'there')]).toEqual([id, id])
    }
  })
})

describe('Any name of 1 to 255 characters', () => {
  const name = fc
    .oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 255 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    )
    .filter(text => isVisible(text) && isStorableText(text) && [...text].length <= 255)

  it('comes back exactly, and its slug is short, in NFC, not a ref, and finds it', async () => {
    const property = fc.asyncProperty(name, async text => {
      const project = await app.diwan.project(company, { name: text })
      const found = (await find(company, project.slug)).body.data
      expect([project.name, found]).toEqual([text, project])
      expect([...project.slug].length).toBeLessThanOrEqual(80)
      expect(project.slug).toMatch(/^[\p{L}\p{M}\p{N}-]+$/u)
      expect(project.slug.normalize('NFC')).toBe(project.slug)
      expect(project.slug).not.toMatch(REF)
    })
    await fc.assert(property, { numRuns: 40 })
  })
})

describe('A slug with vowels, tatweel or joiners', () => {
  const at = (...segments: string[]) => `/projects/${segments.map(segment => encodeURIComponent(segment)).join('/')}`

  it('leads to the same record as the bare one, at every level of an address', async () => {
    const project = (await company.api.post('/projects', { name: 'مُحَمَّد' })).body.data
    expect(project.slug).toBe('محمد')
    const list = (await company.api.post(at('محمد', 'lists'), { title: 'كِتـــاب' })).body.data
    const task = (await company.api.post(`/lists/${list.id}/tasks`, { title: 'می\u200cخواهم' })).body.data
    for (const name of ['محمد', 'مُحَمَّد', 'محمــــد', '\u200fمحمد']) {
      expect((await company.api.get(at(name))).body.data.id).toBe(project.id)
      const nested = at(name, 'lists', 'كتاب', 'tasks', 'می\u200cخواهم')
      expect((await company.api.get(nested)).body.data.id).toBe(task.id)
      const filter = `/company/tasks?project=${encodeURIComponent(name)}`
      expect((await company.api.get(filter)).body.data).toHaveLength(1)
    }
    expect((await company.api.get(at('أحمد'))).status).toBe(404)
    expect((await company.api.get(at('\u0640\u064b'))).status).toBe(404)
  })

  it('that was given to a record earlier still names that record first', async () => {
    const own = await app.diwan.company()
    const old = (await own.api.post('/projects', { name: 'old' })).body.data
    await app.database.db.run(sql`update projects set slug = 'مُحَمَّد' where company_id = ${own.id} and ref = ${old.id}`)
    const bare = (await own.api.post('/projects', { name: 'محمد' })).body.data
    expect((await own.api.get(at('مُحَمَّد'))).body.data.id).toBe(old.id)
    expect((await own.api.get(at('محمد'))).body.data.id).toBe(bare.id)
  })
})

it('A list, a task and a discussion are found by the slugs that they had, which nothing else gets', async () => {
  const { company: own, project, list, task, discussion } = await furnishWork(app.diwan)
  for (const [address, collection, slug, arabic] of [
    [`/tasks/${task.id}`, `lists/${SLUGS.list}/tasks`, SLUGS.task, 'شراء المكاتب'],
    [`/lists/${list.id}`, 'lists', SLUGS.list, 'الأثاث المكتبي'],
    [`/discussions/${discussion.id}`, 'discussions', SLUGS.discussion, 'موعد الانتقال'],
  ] as const) {
    const before = (await own.api.get(address)).body.data
    await own.api.patch(address, { title: arabic })
    const found = async (handle: string) =>
      (await own.api.get(`/projects/${SLUGS.project}/${collection}/${encodeURIComponent(handle)}`)).body.data?.id
    const namesake = await created(own.api.post(`/projects/${project.id}/${collection}`, { title: before.title }))
    for (const handle of [before.id, slug, arabic.replace(' ', '-')])
      expect([handle, await found(handle)]).toEqual([handle, before.id])
    expect(await found(`${slug}-2`)).toBe(namesake.data.id)
    // A ref is not read in capitals, nor up to a NUL.
    for (const ref of [address.toUpperCase().replace(/.*\//, address.replace(/[^/]*$/, '')), `${address}%00`])
      expectRefusal(await own.api.get(ref), 404, 'not_found')
  }
})

it('The 201 of a new record says where it is and which version; a refusal and a batch say neither', async () => {
  const { api, company: own, names } = await furnishContract(app.diwan)
  const creating = WRITES.filter(({ endpoint }) => endpoint.status === 201 && endpoint.name !== 'create_tasks')
  expect(creating.length).toBeGreaterThan(12)
  for (const route of creating) {
    const answer = await call(api, route, names)
    const { id, ref = id } = answer.body.data
    const location = answer.headers.get('location')
    expect([route.title, location]).toEqual([route.title, expect.stringMatching(`^/api/v1/.*/${ref}$`)])
    const shown = await app.diwan.client('', own.key).get(String(location))
    expect([route.title, shown.status, shown.body, tagOf(shown)]).toEqual([
      route.title,
      200,
      answer.body,
      tagOf(answer),
    ])
  }
  for (const [answer, expected] of [
    [await api.post(`/lists/${names.list}/tasks/batch`, { tasks: [{ title: 'x' }] }), 201],
    [await api.post('/projects', { name: '' }), 422],
  ] as const)
    expect([answer.status, answer.headers.get('location'), tagOf(answer)]).toEqual([expected, null, null])
})
