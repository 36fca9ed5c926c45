import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { furnishWork, newComment, newLink, newList, newTask, type Work } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
let work: Work
let places: string[]
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  company = work.company
  places = [`/lists/${work.list.id}`, `/tasks/${work.task.id}`, `/discussions/${work.discussion.id}`]
})

const newFiles = async (...names: string[]) => {
  const refs: string[] = []
  for (const name of names) refs.push((await newLink(company, work.project.id, { name })).ref)
  return refs
}

describe('The files of a comment', () => {
  it('come back by name and by ref, in the order in which they were sent, wherever comments are shown', async () => {
    const [a, b, c] = (await newFiles('a.pdf', 'خطة.pdf', 'c.pdf')) as [string, string, string]
    const upload = await created(
      company.api.post(`/projects/${work.project.id}/files`, { name: 'd.txt', content: 'x' }),
    )
    const attachments = [c, a, upload.data.ref, b]
    const shown = { attachments: ['c.pdf', 'a.pdf', 'd.txt', 'خطة.pdf'], attachment_refs: attachments }
    for (const place of places) {
      const comment = await newComment(company, place, { attachments })
      expect(comment).toMatchObject(shown)
      expect(comment.updated_at).toBe(comment.created_at)
      expect((await company.api.get(`${place}/comments/${comment.id}`)).body.data).toEqual(comment)
      expect((await company.api.get(`${place}/comments`)).body.data.at(-1)).toEqual(comment)
    }
  })

  it('are replaced by a PATCH that names them, taken off by an empty list, and left alone by one that does not', async () => {
    const [a, b] = (await newFiles('a.pdf', 'b.pdf')) as [string, string]
    for (const place of places) {
      const { id } = await newComment(company, place, { attachments: [a] })
      for (const [change, names, refs] of [
        [{ attachments: [b, a] }, ['b.pdf', 'a.pdf'], [b, a]],
        [{ content: 'Only the text' }, ['b.pdf', 'a.pdf'], [b, a]],
        [{ attachments: [a, b] }, ['a.pdf', 'b.pdf'], [a, b]],
        [{ attachments: [] }, [], []],
        [{ content: 'Both', attachments: [b] }, ['b.pdf'], [b]],
      ] as const) {
        const { status, body } = await company.api.patch(`${place}/comments/${id}`, change)
        expect([status, body.data]).toMatchObject([200, { attachments: names, attachment_refs: refs }])
        expect(Date.parse(body.data.updated_at)).toBeGreaterThan(Date.parse(body.data.created_at))
        expect((await company.api.get(`${place}/comments/${id}`)).body).toEqual(body)
      }
    }
  })

  it('keep their names when they are deleted, alone or with their folder; the comment is not edited by that', async () => {
    const { project } = work
    const folder = await created(company.api.post(`/projects/${project.id}/folders`, { name: 'Plans' }))
    const inside = await newLink(company, project.id, { name: 'inside.pdf', folder_id: folder.data.id })
    const [stays, goes] = (await newFiles('stays.pdf', 'goes.pdf')) as [string, string]
    const [place] = places as [string]
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
    const notOurs = (ref: string) => `attachments[1] ${ref} is not a file of the project`
    const cases: [unknown, string | RegExp][] = [
      [[good, theirs.ref], notOurs(theirs.ref)],
      [[good, elsewhere.ref], notOurs(elsewhere.ref)],
      [[good, gone], notOurs(gone)],
      [[good, 'fil-0000000000'], notOurs('fil-0000000000')],
      [[good, work.task.id], notOurs(work.task.id)],
      [[good, 'good.pdf'], /^attachments\[1\] must be the ref of a file/],
      [[good, ''], /^attachments\[1\] must be the ref of a file/],
      [[good, 5], 'attachments[1] must be a string'],
      [[good, null], /^attachments\[1\] /],
      [[good, 'a\u0000'], /^attachments /],
      [good, 'attachments must be a list'],
      [null, /^attachments /],
      [Array(11).fill(good), 'attachments must have at most 10 entries'],
    ]
    for (const place of places) {
      const { id } = await newComment(company, place, { attachments: [good] })
      const before = (await company.api.get(`${place}/comments?limit=100`)).body
      for (const [attachments, message] of cases) {
        const expected = typeof message === 'string' ? message : expect.stringMatching(message)
        const sent = { content: 'Not saved', attachments }
        const answers = [
          await company.api.post(`${place}/comments`, sent),
          await company.api.patch(`${place}/comments/${id}`, sent),
        ]
        for (const answer of answers) expectRefusal(answer, 422, 'unprocessable_entity', expected)
      }
      expect((await company.api.get(`${place}/comments?limit=100`)).body).toEqual(before)
    }
    const ten = await newComment(company, places[0] as string, { attachments: Array(10).fill(good) })
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
    const { rows } = await app.database.pool.query('select from comment_attachments where company_id = $1', [
      own.company.id,
    ])
    expect(rows).toEqual([])
    expect((await own.company.api.delete(`/files/${ref}`)).status).toBe(200)
  })
})
