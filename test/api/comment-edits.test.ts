import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Client, TestCompany } from '../support/diwan.ts'
import {
  audit,
  expectNothingAt,
  furnishWork,
  newComment,
  newDiscussion,
  newLink,
  newList,
  newTask,
  onComment,
  SLUGS,
  type Work,
} from '../support/factories.ts'
import { NOT_IDS } from '../support/furnished.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
let work: Work
/** The records that have comments, each at its nested and its flat address. */
let places: Record<'list' | 'task' | 'discussion', [string, string]>
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
})

const PLACES = ['list', 'task', 'discussion'] as const

describe.each(PLACES)('A comment on a %s', place => {
  it('is read at its own address, nested and flat, as it stands in the list', async () => {
    const comment = await newComment(company, places[place][0])
    for (const address of places[place]) {
      const { status, body } = await company.api.get(`${address}/comments/${comment.id}`)
      expect([status, body]).toEqual([200, { data: comment }])
      expect((await company.api.get(`${address}/comments?limit=100`)).body.data).toContainEqual(comment)
    }
  })

  it('is edited nested and flat: the text exactly as sent, updated_at later, the rest as before', async () => {
    for (const [n, address] of places[place].entries()) {
      const comment = await newComment(company, address)
      await sleep(2)
      const content = ` نص ${n}\r\n<b>&amp;\t👩‍👩‍👧`
      const { status, body } = await company.api.patch(`${address}/comments/${comment.id}`, { content })
      const updated_at = body.data.updated_at
      expect([status, body.data]).toEqual([200, { ...comment, content, updated_at }])
      expect(Date.parse(updated_at)).toBeGreaterThan(Date.parse(comment.updated_at))
      for (const other of places[place])
        expect((await company.api.get(`${other}/comments/${comment.id}`)).body).toEqual(body)
    }
  })

  it('stays exactly as it is when nothing in it changes', async () => {
    const [, address] = places[place]
    const { ref } = await newLink(company, work.project.id)
    const comment = await newComment(company, address, { content: 'Same', attachments: [ref] })
    await sleep(2)
    for (const change of [undefined, {}, { content: 'Same' }, { attachments: [ref] }, { author: 'Somebody else' }]) {
      const { status, body } = await company.api.patch(`${address}/comments/${comment.id}`, change)
      expect([change, status, body]).toEqual([change, 200, { data: comment }])
    }
  })

  it('is not changed by what is refused with 422', async () => {
    const [, address] = places[place]
    const comment = await newComment(company, address)
    for (const bad of [{ content: '' }, { content: ' \n' }, { content: null }, { content: 5 }, { content: 'a\u0000' }])
      expectRefusal(
        await company.api.patch(`${address}/comments/${comment.id}`, bad),
        422,
        'unprocessable_entity',
        expect.stringMatching(/^content /),
      )
    const half = { content: 'Good', attachments: ['fil-0000000000'] }
    expect((await company.api.patch(`${address}/comments/${comment.id}`, half)).status).toBe(422)
    expect((await company.api.get(`${address}/comments/${comment.id}`)).body.data).toEqual(comment)
  })

  it('is edited under the signature that wrote it alone; anyone else is refused with 403, audited, before the body', async () => {
    const [, address] = places[place]
    const omar = await app.diwan.person(company.id)
    const his = { api: app.diwan.api(await app.diwan.key(company.id, { created_by: omar.id })) }
    const [mine, theirs] = [await newComment(company, address), await newComment(his, address)]
    const refused: [Client, number][] = [
      [company.api, theirs.id],
      [his.api, mine.id],
    ]
    for (const [api, id] of refused)
      for (const body of [{ content: 'Not mine' }, { content: 5 }]) {
        expectRefusal(await api.patch(`${address}/comments/${id}`, body), 403, 'forbidden')
        expect(await audit(company)).toMatchObject([{ outcome: 'denied', operation: 'comments:write', status: 403 }])
      }
    const another = app.diwan.api(await app.diwan.key(company.id, { created_by: omar.id }))
    const { status, body } = await another.patch(`${address}/comments/${theirs.id}`, { content: 'Another key of his' })
    expect([status, body.data.content, body.data.author]).toEqual([200, 'Another key of his', omar.name])
    expect((await another.get(`${address}/comments/${mine.id}`)).body.data).toEqual(mine)
  })

  it('is missing under another parent or kind of parent, and by what is not an id', async () => {
    const { project } = work
    const { id } = await newComment(company, places[place][1])
    const others = {
      list: `/lists/${(await newList(company, project.id)).id}`,
      task: `/tasks/${(await newTask(company, work.list.id)).id}`,
      discussion: `/discussions/${(await newDiscussion(company, project.id)).id}`,
    }
    const strangers = PLACES.filter(each => each !== place).flatMap(each => places[each])
    await expectNothingAt(company.api, onComment(id), [...Object.values(others), ...strangers])
    for (const address of places[place])
      for (const notId of [...NOT_IDS, String(id + 1_000_000), `٧${id}`])
        for (const method of ['GET', 'PATCH']) {
          const { status } = await company.api.send(method, `${address}/comments/${notId}`)
          expect([method, notId, status]).toEqual([method, notId, 404])
        }
  })

  it('is missing for other companies, and once what it stands on is gone', async () => {
    const own = await furnishWork(app.diwan)
    const { api } = own.company
    const address = {
      list: `/lists/${own.list.id}`,
      task: `/tasks/${own.task.id}`,
      discussion: `/discussions/${own.discussion.id}`,
    }[place]
    const { id } = await newComment(own.company, address)
    await expectNothingAt(company.api, onComment(id), [address, places[place][1]])
    await api.delete(address)
    await expectNothingAt(api, onComment(id), [address])
  })
})

describe('A comment of a deleted project', () => {
  it('is missing, and back as it was once the project is restored', async () => {
    const own = await furnishWork(app.diwan)
    const addresses = [`/lists/${own.list.id}`, `/tasks/${own.task.id}`, `/discussions/${own.discussion.id}`]
    const comments = []
    for (const address of addresses) comments.push(await newComment(own.company, address))
    await own.company.api.delete(`/projects/${own.project.id}`)
    for (const [n, address] of addresses.entries())
      await expectNothingAt(own.company.api, onComment(comments[n].id), [address])
    await own.company.admin.post(`/trash/${own.project.id}/restore`)
    for (const [n, address] of addresses.entries())
      expect((await own.company.api.get(`${address}/comments/${comments[n].id}`)).body.data).toEqual(comments[n])
  })
})

describe('A comment in rich text', () => {
  const HTML = '<p>See <b>this</b></p><attachment filename="a &quot;b&quot;.pdf" sgid="x">a</attachment>'

  async function storeRichText() {
    const { id } = await app.database.db.one<{ id: number }>(sql`
      insert into comments (company_id, task_id, body, author_id)
      select company_id, id, ${HTML}, created_by from tasks where ref = ${work.task.id} returning id`)
    return `${places.task[1]}/comments/${id}`
  }

  it('keeps its markup while its text is sent back as it was read', async () => {
    const address = await storeRichText()
    const { data } = (await company.api.get(address)).body
    expect((await company.api.patch(address, { content: data.content })).body.data).toEqual(data)
    const { rows } = await app.database.pool.query('select body from comments where id = $1', [data.id])
    expect(rows).toEqual([{ body: HTML }])
  })

  it('keeps its embedded files when its text changes, and gives them up for those that are sent', async () => {
    const address = await storeRichText()
    const edited = (await company.api.patch(address, { content: '<New>' })).body.data
    expect(edited).toMatchObject({ content: '<New>', attachments: ['a "b".pdf'], attachment_refs: [null] })
    const { ref, name } = await newLink(company, work.project.id)
    const replaced = (await company.api.patch(address, { attachments: [ref] })).body.data
    expect(replaced).toMatchObject({ content: '<New>', attachments: [name], attachment_refs: [ref] })
  })
})
