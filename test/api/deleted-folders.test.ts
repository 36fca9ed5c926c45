import { beforeEach, describe, expect, it } from 'vitest'
import { removeFolder } from '../../src/jobs/remove-folder.ts'
import { useOwnApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'
import { removeFolders } from '../support/worker.ts'

let statements = 0
const app = useOwnApp({ onStatement: () => statements++ })
const FILES = 1_200

describe('A folder that is deleted with many files', () => {
  let company: TestCompany
  let base: string
  let project: { id: string }
  let [top, below] = [{ id: 0 }, { id: 0 }]
  let file: { id: number; ref: string }

  const folder = async (name: string, parent_folder_id?: number) =>
    (await created(company.api.post(`${base}/folders`, { name, parent_folder_id }))).data
  const upload = async (name: string, folder_id: number) =>
    (await created(company.api.post(`${base}/files`, { name, content: `In ${name}`, folder_id }))).data
  const fill = (folderId: number, count: number) =>
    app.database.pool.query(
      `insert into files (company_id, project_id, folder_id, ref, name, content_type, size_bytes, digest, scan_state, uploaded_by)
       select company_id, project_id, folder_id, 'fil-' || lpad(id || 'x' || n, 10, '0'), 'Invoice ' || n, 'text/plain', 1,
         md5(id || ' ' || n) || md5(n::text), 'clean', uploaded_by
       from files, generate_series(1, $3::int) n where company_id = $1 and folder_id = $2 order by id, n limit $3`,
      [company.id, folderId, count],
    )

  beforeEach(async () => {
    company = await app.diwan.company()
    project = await app.diwan.project(company)
    base = `/projects/${project.id}`
    top = await folder('Contracts')
    below = await folder('Signed contracts', top.id)
    file = await upload('Invoice.txt', below.id)
    await upload('Plan.txt', (await folder('Plans')).id)
  })

  const left = async (table: string) =>
    Number(
      (await app.database.pool.query(`select count(*) from ${table} where company_id = $1`, [company.id])).rows[0]
        .count,
    )
  const jobs = async (kind: string) =>
    Number(
      (
        await app.database.pool.query(
          `select count(*) from pgboss.job where name = $1 and (data ->> 'company_id')::bigint = $2`,
          [kind, company.id],
        )
      ).rows[0].count,
    )

  it('is gone at once from every read, with everything in it, and counted', async () => {
    await fill(below.id, FILES - 1)
    const task = (await created(company.api.post(`${base}/lists`, { title: 'Furniture' }))).data
    const attach = (ref: string) =>
      company.api.post(`/lists/${task.id}/comments`, { content: 'See here', attachments: [ref] })
    await created(attach(file.ref))
    const { status, body } = await company.api.delete(`${base}/folders/${top.id}`)
    expect([status, body.data.destroyed]).toEqual([200, { files: FILES, subfolders: 1 }])

    const paths = [
      `${base}/folders/${top.id}`,
      `${base}/folders/${below.id}`,
      `${base}/folders?parent_folder_id=${top.id}`,
      `${base}/files?folder_id=${below.id}`,
      `${base}/files/${file.id}`,
      `${base}/files/${file.ref}`,
      `${base}/files/${file.ref}/download`,
    ]
    const answers = await Promise.all(paths.map(path => company.api.get(path)))
    expect(answers.map(answer => answer.status)).toEqual(paths.map(() => 404))
    const deletions = [`${base}/folders/${below.id}`, `${base}/files/${file.id}`, `/files/${file.ref}`]
    for (const path of deletions) expect((await company.api.delete(path)).status).toBe(404)
    expect((await company.api.patch(`${base}/folders/${below.id}`, { name: 'Other' })).status).toBe(404)

    const { data, meta } = (await company.api.get(`${base}/folders`)).body
    expect([data.map(({ name }: { name: string }) => name), meta.total]).toEqual([['Plans'], 1])
    expect((await company.api.get(`${base}/files`)).body.data.folders).toHaveLength(1)
    for (const q of ['invoice', 'contracts'])
      expect((await company.api.get(`/search?q=${q}`)).body.data.results).toEqual([])
    const [comment] = (await company.api.get(`/lists/${task.id}/comments`)).body.data
    expect(JSON.stringify(comment)).not.toContain(file.ref)
    expect((await attach(file.ref)).status).toBe(422)

    expect((await company.admin.get('/files')).body.data.map(({ name }: { name: string }) => name)).toEqual([
      'Plan.txt',
    ])
    expect((await company.admin.post(`/files/${file.ref}/scan`)).status).toBe(404)
    const counted: Record<string, number> = (await company.admin.get('/counts')).body.data.files
    expect(Object.values(counted).reduce((sum, files) => sum + files)).toBe(1)
    const titles = (await company.admin.get('/changes?kind=folder')).body.data.map(
      ({ record }: { record: { title: string | null } }) => record.title,
    )
    expect(new Set(titles)).toEqual(new Set(['Plans', null]))
  })

  it('takes nothing more in, and leaves its name to the next', async () => {
    await company.api.delete(`${base}/folders/${top.id}`)
    const late = [
      company.api.post(`${base}/folders`, { name: 'Late', parent_folder_id: below.id }),
      company.api.post(`${base}/files`, { name: 'late.txt', content: 'Late', folder_id: below.id }),
      company.api.post(`${base}/links`, { name: 'Late', external_url: 'https://example.com/', folder_id: top.id }),
    ]
    expect((await Promise.all(late)).map(({ status }) => status)).toEqual([422, 422, 422])
    expect((await folder('Contracts')).id).not.toBe(top.id)
  })

  it('costs its request the same with 1,200 files as with one', async () => {
    const costs = []
    for (const files of [1, FILES]) {
      const doomed = await folder(`With ${files}`)
      await upload('First.txt', doomed.id)
      if (files > 1) await fill(doomed.id, files - 1)
      const before = { statements, files: await left('files'), bytes: await jobs('remove-bytes') }
      const { body } = await company.api.delete(`${base}/folders/${doomed.id}`)
      expect(body.data.destroyed.files).toBe(files)
      costs.push({
        statements: statements - before.statements,
        files: (await left('files')) - before.files,
        bytes: (await jobs('remove-bytes')) - before.bytes,
      })
    }
    expect(costs[0]).toMatchObject({ files: 0, bytes: 0 })
    expect(costs[1]).toEqual(costs[0])
  })

  it('is removed in steps, which go on after one has failed; its bytes follow, and the feed has one entry', async () => {
    await fill(below.id, FILES - 1)
    // Deleted before it, and not removed yet when the folder above it goes.
    const inner = await folder('Drafts', below.id)
    await upload('Draft.txt', inner.id)
    await company.api.delete(`${base}/folders/${inner.id}`)
    const since = await cursorOfNow(app, company.api)
    await company.api.delete(`${base}/folders/${top.id}`)

    const { enqueue } = app.jobs
    let steps = 0
    const failing = {
      db: app.database.db,
      jobs: {
        enqueue: (async (...job: Parameters<typeof enqueue>) => {
          await enqueue(...job)
          if (++steps === 2) throw new Error('The worker is killed')
        }) as typeof enqueue,
      },
    }
    const payload = { company_id: company.id, folder_id: top.id }
    await expect(removeFolder(failing, payload, new AbortController().signal)).rejects.toThrow('killed')
    expect(await left('files')).toBe(FILES + 2 - 500)
    expect(await jobs('remove-bytes')).toBe(500)
    await removeFolders(app)
    expect([await left('files'), await left('folders')]).toEqual([1, 1])
    expect(await jobs('remove-bytes')).toBe(FILES + 1)
    const entries = await entriesAfter(app, company.api, since)
    expect(entries).toMatchObject([{ kind: 'folder', change: 'deleted', id: top.id }])
  })
})
