import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { isStorableText, isVisible } from '../../src/lib/text.ts'
import { useApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import {
  audit,
  furnishWork,
  INSTANT,
  newComment,
  newLink,
  newList,
  newTask,
  SLUGS,
  type Work,
} from '../support/factories.ts'
import { expectRefusal, refusal, unprocessable } from '../support/refusal.ts'

const app = useApp()
const PLACES = ['list', 'task', 'discussion'] as const
let company: TestCompany
let work: Work
/** The records that have comments, each at its nested and its flat address. */
let places: Record<(typeof PLACES)[number], [string, string]>
let flat: string[]
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  company = work.company
  const project = `/projects/${SLUGS.project}`
  const list = `${project}/lists/${SLUGS.list}`
  places = {
    list: [list, `/lists/${work.list.id}`],
    task: [`${list}/tasks/${SLUGS.task}`, `/tasks/${work.task.id}`],
    discussion: [`${project}/discussions/${SLUGS.discussion}`, `/discussions/${work.discussion.id}`],
  }
  flat = PLACES.map(place => places[place][1])
})

const MIXED = ' سطر\r\n\r\n👩‍👩‍👧 <b>&lt;\t\n'

async function newFiles(...names: string[]): Promise<string[]> {
  const refs: string[] = []
  for (const name of names) refs.push((await newLink(company, work.project.id, { name })).ref)
  return refs
}

/** A key that signs as another person. */
async function another(settings = {}) {
  const person = await app.diwan.person(company.id, settings)
  return { person, api: app.diwan.api(await app.diwan.key(company.id, { created_by: person.id })) }
}

describe.each(PLACES)('A comment on a %s', place => {
  it('is created with 201, and shown whole at its own address and in the list, nested and flat', async () => {
    for (const address of places[place]) {
      const { status, body } = await company.api.post(`${address}/comments`, { content: MIXED })
      expect([status, body.data]).toEqual([
        201,
        {
          id: expect.any(Number),
          content: MIXED,
          author: company.owner.name,
          created_at: INSTANT,
          updated_at: body.data.created_at,
          attachments: [],
          attachment_refs: [],
        },
      ])
      for (const other of places[place]) {
        expect((await company.api.get(`${other}/comments/${body.data.id}`)).body).toEqual(body)
        const { data, meta } = (await company.api.get(`${other}/comments?limit=100`)).body
        expect(data.at(-1)).toEqual(body.data)
        expect(meta).toEqual({ total: data.length, limit: 100, offset: 0, count: data.length, next_cursor: null })
      }
    }
  })

  it('is edited nested and flat: the text exactly as sent, updated_at later, the rest as before; or not at all', async () => {
    const attachments = await newFiles('kept.pdf')
    for (const address of places[place]) {
      const comment = await newComment(company, address, { attachments })
      const at = `${address}/comments/${comment.id}`
      const { status, body } = await company.api.patch(at, { content: MIXED })
      const { updated_at } = body.data
      expect([status, body.data]).toEqual([200, { ...comment, content: MIXED, updated_at }])
      expect(Date.parse(updated_at)).toBeGreaterThan(Date.parse(comment.updated_at))
      for (const change of [undefined, {}, { content: MIXED }, { attachments }])
        expect([change, (await company.api.patch(at, change)).body]).toEqual([change, body])
    }
  })

  it('is edited under the signature that wrote it alone; anyone else is refused with 403, audited, before the body', async () => {
    const [, address] = places[place]
    const omar = await another()
    const [mine, theirs] = [await newComment(company, address), await newComment(omar, address)]
    for (const [api, id] of [
      [company.api, theirs.id],
      [omar.api, mine.id],
    ] as const) {
      expectRefusal(await api.patch(`${address}/comments/${id}`, { content: 5 }), 403, 'forbidden')
      expect(await audit(company)).toMatchObject([{ outcome: 'denied', operation: 'comments:write', status: 403 }])
    }
    const second = app.diwan.api(await app.diwan.key(company.id, { created_by: omar.person.id }))
    const { status, body } = await second.patch(`${address}/comments/${theirs.id}`, { content: 'Another key of his' })
    expect([status, body.data.content, body.data.author]).toEqual([200, 'Another key of his', omar.person.name])
    expect((await second.get(`${address}/comments/${mine.id}`)).body.data).toEqual(mine)
  })
})

it('A comment is missing below another kind of record than its own', async () => {
  for (const place of PLACES) {
    const { id } = await newComment(company, places[place][1])
    for (const other of PLACES.filter(each => each !== place))
      for (const method of ['GET', 'PATCH']) {
        const { status } = await company.api.send(method, `${places[other][1]}/comments/${id}`)
        expect([place, other, method, status]).toEqual([place, other, method, 404])
      }
  }
})

describe('Comments', () => {
  it('are signed by the creator of the key, also after that person has left', async () => {
    const { person, api } = await another({ name: 'عمر عزيز' })
    const [, address] = places.task
    await company.admin.patch(`/users/${person.id}`, { active: false })
    expect(await newComment({ api }, address)).toMatchObject({ author: 'عمر عزيز' })
  })

  it('hold any text of up to 65,535 characters, which comes back exactly as it was sent; so do notes and discussions', async () => {
    const special = ['\n', '\r\n', '\t', '&', '<', '"', '&amp;', '&#13;', '</p>', '<attachment>', '🚀', '\u200f', '\\']
    const char = fc.oneof(
      fc.constantFrom(...special),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
    )
    const text = fc.array(char, { minLength: 1, maxLength: 60 }).map(parts => parts.join(''))
    const task = await newTask(company, work.list.id)
    const property = fc.asyncProperty(
      text.filter(each => isStorableText(each) && isVisible(each)),
      async sent => {
        const { id, content } = await newComment(company, `/tasks/${task.id}`, { content: sent })
        const read = (await company.api.get(`/tasks/${task.id}/comments/${id}`)).body.data.content
        const { notes } = (await company.api.patch(`/tasks/${task.id}`, { notes: sent })).body.data
        const { body } = (await company.api.patch(`/discussions/${work.discussion.id}`, { body: sent })).body.data
        expect([content, read, notes, body]).toEqual(Array(4).fill(sent))
      },
    )
    await fc.assert(property, { numRuns: 30, endOnFailure: true })
    for (const unit of ['\n', '🚀', '&']) {
      const content = `.${unit.repeat(65_534)}`
      const { status, body } = await company.api.post(`${flat[0]}/comments`, { content })
      expect([unit, status, body.data.content === content]).toEqual([unit, 201, true])
      expect((await company.api.post(`${flat[0]}/comments`, { content: content + unit })).status).toBe(422)
    }
  })
})

describe('A comment in rich text', () => {
  const HTML = '<p>See <b>this</b></p><attachment filename="a &quot;b&quot;.pdf" sgid="x">a</attachment>'

  /** Stores a comment as the product's editor writes it. Returns its address. */
  async function storeRichText() {
    const { id } = await app.database.db.one<{ id: number }>(sql`
      insert into comments (company_id, task_id, body, author_id)
      select company_id, id, ${HTML}, created_by from tasks where ref = ${work.task.id} returning id`)
    return { id, address: `${places.task[1]}/comments/${id}` }
  }

  it('is read as plain text, with the names of embedded files apart, and keeps its markup while it is sent back as it was read', async () => {
    const { id, address } = await storeRichText()
    const { data } = (await company.api.get(address)).body
    expect(data).toMatchObject({ content: 'See this', attachments: ['a "b".pdf'], attachment_refs: [null] })
    expect((await company.api.get(`${places.task[1]}/comments?limit=100`)).body.data).toContainEqual(data)
    expect((await company.api.patch(address, { content: data.content })).body.data).toEqual(data)
    const { rows } = await app.database.pool.query('select body from comments where id = $1', [id])
    expect(rows).toEqual([{ body: HTML }])
  })
})

describe('The files of a comment', () => {
  it('come back by name and ref in the order in which they were sent; a PATCH replaces them, takes them off, or leaves them alone', async () => {
    const [a, b] = (await newFiles('a.pdf', 'خطة.pdf')) as [string, string]
    const upload = { name: 'd.txt', content: 'x' }
    const { ref } = (await created(company.api.post(`/projects/${work.project.id}/files`, upload))).data
    for (const place of flat) {
      const comment = await newComment(company, place, { attachments: [b, ref, a] })
      expect(comment).toMatchObject({ attachments: ['خطة.pdf', 'd.txt', 'a.pdf'], attachment_refs: [b, ref, a] })
      const at = `${place}/comments/${comment.id}`
      expect((await company.api.get(at)).body.data).toEqual(comment)
      expect((await company.api.get(`${place}/comments?limit=100`)).body.data.at(-1)).toEqual(comment)
      for (const [change, names, refs] of [
        [{ attachments: [b, a] }, ['خطة.pdf', 'a.pdf'], [b, a]],
        [{ content: 'Only the text' }, ['خطة.pdf', 'a.pdf'], [b, a]],
        [{ attachments: [a, b] }, ['a.pdf', 'خطة.pdf'], [a, b]],
        [{ attachments: [] }, [], []],
        [{ content: 'Both', attachments: [b] }, ['خطة.pdf'], [b]],
      ] as const) {
        const { body } = await company.api.patch(at, change)
        expect([change, body.data]).toMatchObject([change, { attachments: names, attachment_refs: refs }])
        expect(Date.parse(body.data.updated_at)).toBeGreaterThan(Date.parse(comment.updated_at))
        expect((await company.api.get(at)).body).toEqual(body)
      }
    }
  })

  it('keep their names when they are deleted, alone or with their folder; the comment is not edited by that', async () => {
    const { project } = work
    const folder = await created(company.api.post(`/projects/${project.id}/folders`, { name: 'Plans' }))
    const inside = await newLink(company, project.id, { name: 'inside.pdf', folder_id: folder.data.id })
    const [stays, goes] = (await newFiles('stays.pdf', 'goes.pdf')) as [string, string]
    const [, place] = places.list
    const comment = await newComment(company, place, { attachments: [goes, stays, inside.ref] })
    await company.api.delete(`/files/${goes}`)
    await company.api.delete(`/projects/${project.id}/folders/${folder.data.id}`)
    const { data } = (await company.api.get(`${place}/comments/${comment.id}`)).body
    expect(data).toEqual({ ...comment, attachment_refs: [null, stays, null] })
  })

  it('are at most ten, each of them a ref of a file of the project: else 422 names the one at fault, and nothing is saved', async () => {
    const foreign = await furnishWork(app.diwan)
    const theirs = await newLink(foreign.company, foreign.project.id)
    const elsewhere = await newLink(company, (await app.diwan.project(company)).id)
    const [good, gone] = (await newFiles('good.pdf', 'gone.pdf')) as [string, string]
    await company.api.delete(`/files/${gone}`)
    const notOurs = (ref: string) => [[good, ref], `attachments[1] ${ref} is not a file of the project`] as const
    for (const place of flat) {
      const { id } = await newComment(company, place, { attachments: [good] })
      const before = (await company.api.get(`${place}/comments?limit=100`)).body
      for (const [attachments, message] of [
        ...[theirs.ref, elsewhere.ref, gone, 'fil-0000000000', work.task.id].map(notOurs),
        [[good, 'good.pdf'], /^attachments\[1\] must be the ref of a file/],
        [Array(11).fill(good), 'attachments must have at most 10 entries'],
      ] as const)
        for (const answer of [
          await company.api.post(`${place}/comments`, { content: 'Not saved', attachments }),
          await company.api.patch(`${place}/comments/${id}`, { content: 'Not saved', attachments }),
        ])
          expect([attachments, ...refusal(answer)]).toEqual([attachments, ...unprocessable(message)])
      expect((await company.api.get(`${place}/comments?limit=100`)).body).toEqual(before)
    }
    const ten = await newComment(company, places.task[1], { attachments: Array(10).fill(good) })
    expect(ten.attachment_refs).toEqual(Array(10).fill(good))
  })

  it('stay when a task is moved to another project, can be sent back, and are gone while their project is deleted', async () => {
    const from = await app.diwan.project(company)
    const task = await newTask(company, (await newList(company, from.id)).id)
    const old = await newLink(company, from.id, { name: 'old.pdf' })
    const left = await newLink(company, from.id, { name: 'left.pdf' })
    const comment = await newComment(company, `/tasks/${task.id}`, { attachments: [old.ref] })
    await company.api.post(`/tasks/${task.id}/move`, { list_id: work.list.id })
    const address = `/tasks/${task.id}/comments/${comment.id}`
    const [added] = (await newFiles('new.pdf')) as [string]
    const both = await company.api.patch(address, { attachments: [old.ref, added] })
    expect(both.body.data).toMatchObject({ attachments: ['old.pdf', 'new.pdf'], attachment_refs: [old.ref, added] })
    expect((await company.api.patch(address, { attachments: [left.ref] })).status).toBe(422)
    await company.api.delete(`/projects/${from.id}`)
    expect((await company.api.get(address)).body.data).toMatchObject({ attachment_refs: [null, added] })
    await company.admin.post(`/trash/${from.id}/restore`)
    expect((await company.api.get(address)).body).toEqual(both.body)
  })

  it('go with what the comment stands on', async () => {
    const own = await furnishWork(app.diwan)
    const { ref } = await newLink(own.company, own.project.id)
    await newComment(own.company, `/tasks/${own.task.id}`, { attachments: [ref] })
    expect((await own.company.api.delete(`/tasks/${own.task.id}`)).status).toBe(200)
    const stored = 'select from comment_attachments where company_id = $1'
    expect((await app.database.pool.query(stored, [own.company.id])).rows).toEqual([])
    expect((await own.company.api.delete(`/files/${ref}`)).status).toBe(200)
  })
})
