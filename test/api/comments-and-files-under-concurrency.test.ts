import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Blobs, StorageUnavailable } from '../../src/domain/ports/blob-store.ts'
import { keepBytes, removeUnneeded } from '../../src/domain/records/unneeded-blobs.ts'
import { startBucket } from '../support/answering-bucket.ts'
import { useApp } from '../support/app.ts'
import type { Answer } from '../support/diwan.ts'
import { created } from '../support/diwan.ts'
import { furnishWork, newComment, newDiscussion, newLink, newList, newTask } from '../support/factories.ts'
import { roundsOfRace } from '../support/races.ts'
import { removeFolders, tellPeople } from '../support/worker.ts'

const app = useApp()
const ROUNDS = roundsOfRace(30)
/** PostgreSQL resolves a deadlock by itself, but each one costs a second. */
const WITHOUT_DEADLOCKS_MS = 45_000
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
const soon = () => sleep(Math.random() * 8)
const count = (answers: Answer[], wanted: number) => answers.filter(({ status }) => status === wanted).length
const others = (answers: Answer[], ...expected: number[]) =>
  answers.filter(({ status }) => !expected.includes(status)).map(({ body }) => body)

describe('Replies', () => {
  it('that come at once, while the discussion is renamed, are all taken and counted, and whoever wrote them follows once', async () => {
    const { company, discussion } = await furnishWork(app.diwan)
    const omar = await app.diwan.person(company.id)
    const his = app.diwan.api(await app.diwan.key(company.id, { created_by: omar.id }))
    const address = `/discussions/${discussion.id}`
    const startedAt = performance.now()
    for (let round = 1; round <= ROUNDS; round++) {
      const reply = (n: number) => (n % 2 ? his : company.api).post(`${address}/comments`, { content: `Reply ${n}` })
      const renaming = company.api.patch(address, { title: `Title ${round}` })
      const replies = await Promise.all(times(6, reply))
      expect([round, (await renaming).status, others(replies, 201)]).toEqual([round, 200, []])
      const { replies_count } = (await company.api.get(address)).body.data
      const { total } = (await company.api.get(`${address}/comments?limit=1`)).body.meta
      expect([round, replies_count, total]).toEqual([round, 6 * round, 6 * round])
    }
    expect(performance.now() - startedAt).toBeLessThan(WITHOUT_DEADLOCKS_MS)
    const { rows } = await app.database.pool.query(
      'select count(*)::int as followers from discussion_subscriptions where company_id = $1',
      [company.id],
    )
    expect(rows).toEqual([{ followers: 2 }])
  })

  it('to a discussion that is being deleted are taken or find nothing, and only what was taken is there after a restore', async () => {
    const { company, project } = await furnishWork(app.diwan)
    await app.diwan.person(company.id)
    const { api, admin } = company
    let taken = 0
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await newDiscussion(company, project.id)
      const reply = () => soon().then(() => api.post(`/discussions/${id}/comments`, { content: 'Just in time' }))
      const remove = () => soon().then(() => api.delete(`/discussions/${id}`))
      const [removal, ...replies] = await Promise.all([remove(), ...times(4, reply)])
      expect([round, removal.status, others(replies, 201, 404)]).toEqual([round, 200, []])
      await admin.post(`/trash/${id}/restore`)
      const { replies_count } = (await api.get(`/discussions/${id}`)).body.data
      const { total, count: shown } = (await api.get(`/discussions/${id}/comments`)).body.meta
      const successes = count(replies, 201)
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

  it('in a project that is being archived are taken or refused, and none is added to it afterwards', async () => {
    const company = await app.diwan.company()
    const { api } = company
    for (let round = 0; round < ROUNDS; round++) {
      const project = await app.diwan.project(company)
      const { id } = await newDiscussion(company, project.id)
      const reply = () => soon().then(() => api.post(`/discussions/${id}/comments`, { content: 'x' }))
      const archive = () => soon().then(() => api.post(`/projects/${project.id}/archive`))
      const [archived, ...replies] = await Promise.all([archive(), ...times(4, reply)])
      expect([round, archived.status, others(replies, 201, 403)]).toEqual([round, 200, []])
      expect((await api.get(`/discussions/${id}`)).body.data.replies_count).toBe(count(replies, 201))
    }
  })
})

describe('An edit of a comment', () => {
  it('whose task, list or discussion is being deleted happens before, or finds nothing', async () => {
    const { company, project, list } = await furnishWork(app.diwan)
    const { api, admin } = company
    const change = { content: 'Edited', attachments: [(await newLink(company, project.id)).ref] }
    for (let round = 0; round < ROUNDS; round++) {
      const discussion = `/discussions/${(await newDiscussion(company, project.id)).id}`
      const task = `/tasks/${(await newTask(company, list.id)).id}`
      const doomed = `/lists/${(await newList(company, project.id)).id}`
      for (const address of [task, doomed, discussion]) {
        const { id } = await newComment(company, address)
        const edit = () => soon().then(() => api.patch(`${address}/comments/${id}`, change))
        const remove = () => soon().then(() => api.delete(address))
        const [removal, ...edits] = await Promise.all([remove(), ...times(2, edit)])
        expect([round, removal.status, others(edits, 200, 404)]).toEqual([round, 200, []])
        expect((await api.get(`${address}/comments/${id}`)).status).toBe(404)
        if (address !== discussion) continue
        await admin.post(`/trash/${discussion.split('/').at(-1)}/restore`)
        const { data } = (await api.get(`${address}/comments/${id}`)).body
        expect([round, data.content]).toEqual([round, count(edits, 200) > 0 ? 'Edited' : 'Agreed'])
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
      expect([round, others(answers, 200)]).toEqual([round, []])
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
    const address = `/tasks/${task.id}/comments`
    for (let round = 0; round < ROUNDS; round++) {
      const { ref, name } = await newLink(company, project.id, { name: 'Brief.pdf' })
      const edited = await newComment(company, `/tasks/${task.id}`, { attachments: [ref] })
      const attach = () => soon().then(() => api.post(address, { content: 'x', attachments: [kept.ref, ref] }))
      const detach = () => soon().then(() => api.patch(`${address}/${edited.id}`, { attachments: [kept.ref] }))
      const remove = () => soon().then(() => api.delete(`/files/${ref}`))
      const [removal, change, ...answers] = await Promise.all([remove(), detach(), ...times(3, attach)])
      expect([round, removal.status, change.status, others(answers, 201, 422)]).toEqual([round, 200, 200, []])
      for (const { body } of answers.filter(({ status }) => status === 201))
        expect((await api.get(`${address}/${body.data.id}`)).body.data).toMatchObject({
          attachments: [kept.name, name],
          attachment_refs: [kept.ref, null],
        })
    }
  })
})

describe('A folder deleted while others below it are moved, renamed and filled', () => {
  it('takes exactly what was in it, and nobody waits in a circle', async () => {
    const company = await app.diwan.company()
    const at = `/projects/${(await app.diwan.project(company)).id}`
    const { api } = company
    const make = async (fields: object) => (await created(api.post(`${at}/folders`, fields))).data
    const safe = await make({ name: 'Safe' })
    let folders = 1
    const startedAt = performance.now()
    for (let round = 0; round < ROUNDS; round++) {
      const doomed = await make({ name: `Doomed ${round}` })
      const below = await Promise.all(times(3, n => make({ name: `${round}-${n}`, parent_folder_id: doomed.id })))
      const patch = (id: number, body: object) => soon().then(() => api.patch(`${at}/folders/${id}`, body))
      const link = { name: 'Plan', external_url: 'https://example.com/plan', folder_id: doomed.id }
      const moves = below.map(({ id }) => patch(id, { parent_folder_id: safe.id }))
      const renames = below.map(({ id, name }) => patch(id, { name: `${name} again` }))
      const links = times(3, () => soon().then(() => api.post(`${at}/links`, link)))
      const removal = await soon().then(() => api.delete(`${at}/folders/${doomed.id}`))
      const [moved, renamed, linked] = await Promise.all([Promise.all(moves), Promise.all(renames), Promise.all(links)])
      expect([round, removal.status, others([...moved, ...renamed], 200, 404)]).toEqual([round, 200, []])
      expect([round, others(linked, 201, 422)]).toEqual([round, []])
      const saved = count(moved, 200)
      const destroyed = { files: count(linked, 201), subfolders: below.length - saved }
      expect([round, removal.body.data.destroyed]).toEqual([round, destroyed])
      folders += saved
      expect(performance.now() - startedAt, `after round ${round}`).toBeLessThan(WITHOUT_DEADLOCKS_MS)
    }
    await removeFolders(app)
    const { rows } = await app.database.pool.query(
      `select (select count(*)::int from folders where company_id = $1) as folders,
              (select count(*)::int from files where company_id = $1) as files`,
      [company.id],
    )
    expect(rows).toEqual([{ folders, files: 0 }])
  })
})

describe('The lock of bytes in a bucket', () => {
  const bytes = Buffer.from('0123456789')
  const digest = createHash('sha256').update(bytes).digest('hex')
  /** PostgreSQL ends a session that is idle in a transaction for longer, and gives its locks to others. */
  const LOCKED_FOR_MS = 8_000

  it('outlives a removal, and the question of an upload whether bytes are still there, that the bucket does not answer', async () => {
    const { db } = app.database
    const unanswered = async (method: string, work: (blobs: Blobs) => Promise<unknown>) => {
      let askedAt = 0
      const { blobs, asked, close } = await startBucket(line => {
        askedAt = performance.now()
        return line.startsWith(method)
      })
      onTestFinished(close)
      await expect(work(blobs)).rejects.toBeInstanceOf(StorageUnavailable)
      expect(performance.now() - askedAt).toBeLessThan(LOCKED_FOR_MS)
      expect(asked.filter(line => line.startsWith(method))).toHaveLength(1)
    }
    await Promise.all([
      unanswered('DELETE', blobs => removeUnneeded(db, blobs, 1, digest)),
      unanswered('HEAD', blobs => db.transaction(tx => keepBytes(tx, blobs, 2, digest, bytes))),
    ])
  })

  it.runIf(process.env.TEST_ENGINE === 'postgres')('is still held when bytes are removed, or they stay', async () => {
    const { db } = app.database
    const endSession = () =>
      db.raw(
        `select pg_terminate_backend(pid, 10000) from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction'`,
        [],
      )
    const { blobs, asked, close } = await startBucket(async line => {
      if (line.includes('list-type')) await endSession()
      return false
    })
    onTestFinished(close)
    await expect(removeUnneeded(db, blobs, 1, digest)).rejects.toThrow(/connection/i)
    expect(asked).toEqual([expect.stringMatching('list-type')])
  })
})
