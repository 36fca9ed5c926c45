import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Answer } from '../support/diwan.ts'
import { furnishWork, newComment, newDiscussion, newLink, newTask } from '../support/factories.ts'
import { roundsOfRace } from '../support/races.ts'
import { tellPeople } from '../support/worker.ts'

const app = useApp()
const ROUNDS = roundsOfRace(30)
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
const soon = () => sleep(Math.random() * 8)
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status)
const count = (statuses: number[], wanted: number) => statuses.filter(status => status === wanted).length

describe('Replies that come at once', () => {
  it('are all counted, and whoever wrote them follows once', async () => {
    const { company, discussion } = await furnishWork(app.diwan)
    const omar = await app.diwan.person(company.id)
    const his = app.diwan.api(await app.diwan.key(company.id, { created_by: omar.id }))
    const address = `/discussions/${discussion.id}`
    for (let round = 1; round <= ROUNDS; round++) {
      const reply = (n: number) => (n % 2 ? his : company.api).post(`${address}/comments`, { content: `Reply ${n}` })
      expect(statusesOf(await Promise.all(times(6, reply)))).toEqual(times(6, () => 201))
      const { replies_count } = (await company.api.get(address)).body.data
      const { total } = (await company.api.get(`${address}/comments?limit=1`)).body.meta
      expect([round, replies_count, total]).toEqual([round, 6 * round, 6 * round])
    }
    const { rows } = await app.database.pool.query(
      `select count(*)::int as comments, (select count(*)::int from discussion_subscriptions where company_id = $1) as followers
       from comments where company_id = $1`,
      [company.id],
    )
    expect(rows).toEqual([{ comments: 6 * ROUNDS, followers: 2 }])
  })

  it('while the discussion is renamed are all taken', async () => {
    const { company, discussion } = await furnishWork(app.diwan)
    const address = `/discussions/${discussion.id}`
    const startedAt = performance.now()
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all([
        company.api.patch(address, { title: `Title ${round}` }),
        ...times(4, () => company.api.post(`${address}/comments`, { content: 'x' })),
      ])
      expect([round, statusesOf(answers)]).toEqual([round, [200, 201, 201, 201, 201]])
    }
    // PostgreSQL resolves a deadlock by itself, but each one costs a second.
    expect(performance.now() - startedAt).toBeLessThan(20_000)
    expect((await company.api.get(address)).body.data.replies_count).toBe(4 * ROUNDS)
  })
})

describe('A reply to a discussion', () => {
  it('that is being deleted is taken or finds nothing, and only what was taken is there after a restore', async () => {
    const { company, project } = await furnishWork(app.diwan)
    await app.diwan.person(company.id)
    const { api, admin } = company
    let taken = 0
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await newDiscussion(company, project.id)
      const replies = times(4, () =>
        soon().then(() => api.post(`/discussions/${id}/comments`, { content: 'Just in time' })),
      )
      const [removal, ...answers] = await Promise.all([soon().then(() => api.delete(`/discussions/${id}`)), ...replies])
      const statuses = statusesOf(answers)
      expect([round, removal.status, statuses.filter(status => status !== 201 && status !== 404)]).toEqual([
        round,
        200,
        [],
      ])
      await admin.post(`/trash/${id}/restore`)
      const { replies_count } = (await api.get(`/discussions/${id}`)).body.data
      const { total, count: shown } = (await api.get(`/discussions/${id}/comments`)).body.meta
      const successes = count(statuses, 201)
      expect([round, replies_count, total, shown]).toEqual([round, successes, successes, successes])
      taken += successes
    }
    await tellPeople(app)
    const { rows } = await app.database.pool.query(
      `select count(*)::int as told from notifications n join notices w on w.company_id = n.company_id and w.id = n.notice_id
       where n.company_id = $1 and w.kind = 'discussion_replied'`,
      [company.id],
    )
    expect(rows).toEqual([{ told: taken }])
  })

  it('of a project that is being archived is taken or refused, and none is added to it afterwards', async () => {
    const company = await app.diwan.company()
    const { api } = company
    for (let round = 0; round < ROUNDS; round++) {
      const project = await app.diwan.project(company)
      const { id } = await newDiscussion(company, project.id)
      const replies = times(4, () => soon().then(() => api.post(`/discussions/${id}/comments`, { content: 'x' })))
      const [archived, ...answers] = await Promise.all([
        soon().then(() => api.post(`/projects/${project.id}/archive`)),
        ...replies,
      ])
      const statuses = statusesOf(answers)
      expect([round, archived.status, statuses.filter(status => status !== 201 && status !== 403)]).toEqual([
        round,
        200,
        [],
      ])
      expect((await api.get(`/discussions/${id}`)).body.data.replies_count).toBe(count(statuses, 201))
    }
  })
})

describe('An edit of a comment', () => {
  it('whose task, list or discussion is being deleted happens before, or finds nothing', async () => {
    const { company, project, list } = await furnishWork(app.diwan)
    const { api, admin } = company
    const { ref } = await newLink(company, project.id)
    for (let round = 0; round < ROUNDS; round++) {
      const task = await newTask(company, list.id)
      const { id: doomed } = (await api.post(`/projects/${project.id}/lists`, { title: 'Doomed' })).body.data
      const { id: topic } = await newDiscussion(company, project.id)
      for (const address of [`/tasks/${task.id}`, `/lists/${doomed}`, `/discussions/${topic}`]) {
        const comment = await newComment(company, address)
        const change = { content: 'Edited', attachments: [ref] }
        const edits = times(2, () => soon().then(() => api.patch(`${address}/comments/${comment.id}`, change)))
        const [removal, ...answers] = await Promise.all([soon().then(() => api.delete(address)), ...edits])
        const statuses = statusesOf(answers)
        expect([removal.status, statuses.filter(status => status !== 200 && status !== 404)]).toEqual([200, []])
        expect((await api.get(`${address}/comments/${comment.id}`)).status).toBe(404)
        if (address !== `/discussions/${topic}`) continue
        await admin.post(`/trash/${topic}/restore`)
        const { data } = (await api.get(`${address}/comments/${comment.id}`)).body
        expect(data.content).toBe(statuses.includes(200) ? 'Edited' : 'Agreed')
      }
    }
  })

  it('and another at the same time leave one of the two, whole, and updated_at never goes back', async () => {
    const { company, project, task } = await furnishWork(app.diwan)
    const { api } = company
    const [a, b] = [await newLink(company, project.id), await newLink(company, project.id)]
    const comment = await newComment(company, `/tasks/${task.id}`)
    const address = `/tasks/${task.id}/comments/${comment.id}`
    let last = Date.parse(comment.updated_at)
    for (let round = 0; round < ROUNDS; round++) {
      const edits = [
        { content: `a ${round}`, attachments: [a.ref] },
        { content: `b ${round}`, attachments: [b.ref, a.ref] },
      ]
      const answers = await Promise.all(edits.map(edit => api.patch(address, edit)))
      expect(statusesOf(answers)).toEqual([200, 200])
      const { data } = (await api.get(address)).body
      expect(edits).toContainEqual({ content: data.content, attachments: data.attachment_refs })
      const moments = answers.map(({ body }) => Date.parse(body.data.updated_at))
      expect([Math.min(...moments) > last, Date.parse(data.updated_at)]).toEqual([true, Math.max(...moments)])
      last = Math.max(...moments)
    }
  })
})

describe('A file that is deleted while it is attached', () => {
  it('is attached first and then gone, or refused: never a fault, and never a ref to what is not there', async () => {
    const { company, project, task } = await furnishWork(app.diwan)
    const { api } = company
    const kept = await newLink(company, project.id)
    for (let round = 0; round < ROUNDS; round++) {
      const { ref, name } = await newLink(company, project.id, { name: 'Brief.pdf' })
      const edited = await newComment(company, `/tasks/${task.id}`, { attachments: [ref] })
      const attach = () =>
        soon().then(() => api.post(`/tasks/${task.id}/comments`, { content: 'x', attachments: [kept.ref, ref] }))
      const detach = () =>
        soon().then(() => api.patch(`/tasks/${task.id}/comments/${edited.id}`, { attachments: [kept.ref] }))
      const [removal, change, ...answers] = await Promise.all([
        soon().then(() => api.delete(`/files/${ref}`)),
        detach(),
        ...times(3, attach),
      ])
      expect([round, removal.status, change.status]).toEqual([round, 200, 200])
      expect(statusesOf(answers).filter(status => status !== 201 && status !== 422)).toEqual([])
      for (const { body } of answers.filter(({ status }) => status === 201)) {
        const { data } = (await api.get(`/tasks/${task.id}/comments/${body.data.id}`)).body
        expect(data).toMatchObject({ attachments: [kept.name, name], attachment_refs: [kept.ref, null] })
      }
    }
  })
})
