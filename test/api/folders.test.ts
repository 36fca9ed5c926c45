import { beforeEach, describe, expect, it } from 'vitest'
import { removeFolder } from '../../src/jobs/remove-folder.ts'
import { useOwnApp } from '../support/app.ts'
import { type Answer, created, type TestCompany } from '../support/diwan.ts'
import { INSTANT, newLink, newList } from '../support/factories.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'
import { refusal, unprocessable } from '../support/refusal.ts'
import { removeFolders } from '../support/worker.ts'

let statements = 0
const app = useOwnApp({ onStatement: () => statements++ })
let company: TestCompany
let project: { id: string }
let base: string
beforeEach(async () => {
  company ??= await app.diwan.company()
  project = await app.diwan.project(company)
  base = `/projects/${project.id}`
})

const folder = async (name: string, parent_folder_id: number | null = null) =>
  (await created(company.api.post(`${base}/folders`, { name, parent_folder_id }))).data
const file = (name: string, folder_id: number | null = null) =>
  company.api.post(`${base}/files`, { name, folder_id, content: name })
const named = (records: { name: string }[]) => records.map(({ name }) => name)
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status)

describe('A folder', () => {
  it('is created with 201, shown whole when it is read, renamed, described and moved', async () => {
    const { status, body } = await company.api.post(`${base}/folders`, { name: 'تصاميم', description: 'كل شيء' })
    const { id } = body.data
    const top = { id, name: 'تصاميم', path: '/تصاميم', description: 'كل شيء', parent_folder_id: null }
    expect([status, body.data]).toEqual([201, { ...top, created_at: INSTANT }])
    const below = await folder('2026', id)
    expect(below).toMatchObject({ path: '/تصاميم/2026', parent_folder_id: id, description: null })
    const at = `${base}/folders/${below.id}`
    expect((await company.api.get(at)).body.data).toEqual(below)
    const change = { name: 'ج', parent_folder_id: null, description: 'x' }
    const moved = await company.api.patch(at, change)
    expect(moved.body.data).toEqual({ ...below, ...change, path: '/ج' })
    expect((await company.api.patch(at, {})).body).toEqual(moved.body)
  })

  it('is refused with a name that it cannot have, and a parent that it cannot have', async () => {
    const foreign = await folder('Foreign')
    base = `/projects/${(await app.diwan.project(company)).id}`
    const a = await folder('A')
    const b = await folder('B', a.id)
    const c = await folder('C', b.id)
    const d = await folder('D')
    const path = `${base}/folders`
    for (const name of ['a/b', 'a\\b', '.', '..', 'NUL', 'con.txt', 'x\u202exe.pdf', ' ', 'a\tb', undefined])
      for (const answer of [
        await company.api.post(path, { name }),
        await company.api.patch(`${path}/${a.id}`, { name: name ?? null }),
      ])
        expect([name, ...refusal(answer)]).toEqual([name, ...unprocessable(/^name /)])
    // No two folders in one place have one name, also after a rename or a move.
    const inside = await folder('D', a.id)
    for (const answer of [
      await company.api.post(path, { name: 'A' }),
      await company.api.patch(`${path}/${d.id}`, { name: 'A' }),
      await company.api.patch(`${path}/${inside.id}`, { parent_folder_id: null }),
    ])
      expect(refusal(answer)).toEqual(unprocessable(/^name is already used/))
    for (const parent_folder_id of [a.id, b.id, c.id])
      expect(refusal(await company.api.patch(`${path}/${a.id}`, { parent_folder_id }))).toEqual(
        unprocessable(/^parent_folder_id can't be the folder itself/),
      )
    for (const id of [foreign.id, 999_999_999]) {
      expect(refusal(await company.api.post(path, { name: 'X', parent_folder_id: id }))).toEqual(
        unprocessable(/^parent_folder_id /),
      )
      expect(refusal(await file('x.txt', id))).toEqual(unprocessable(/^folder_id /))
      const level = [`${path}/${id}`, `${base}/files?folder_id=${id}`, `${path}?parent_folder_id=${id}`]
      for (const address of level) expect([address, (await company.api.get(address)).status]).toEqual([address, 404])
    }
  })

  it('needs manage_files to be made or changed, and delete_any_file to be deleted', async () => {
    const { id } = await folder('A')
    const api = app.diwan.api(await app.diwan.key(company.id, { rights: [] }))
    for (const answer of [
      await api.post(`${base}/folders`, { name: 'B' }),
      await api.patch(`${base}/folders/${id}`, { name: 'B' }),
      await api.delete(`${base}/folders/${id}`),
    ])
      expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden'])
    expect((await api.post(`${base}/files`, { name: 'a.txt', content: '' })).status).toBe(201)
  })

  it('nests at most 50 levels, also when it is moved with those below it', async () => {
    let parent: number | null = null
    for (let level = 1; level <= 49; level++) parent = (await folder(`L${level}`, parent)).id
    const top = await folder('Top')
    const below = await folder('Below', top.id)
    const move = (parent_folder_id: number | null) =>
      company.api.patch(`${base}/folders/${top.id}`, { parent_folder_id })
    expect(refusal(await move(parent))).toEqual(unprocessable(/^parent_folder_id is too deep/))
    await company.api.delete(`${base}/folders/${below.id}`)
    expect((await move(parent)).status).toBe(200)
    const deepest = await company.api.post(`${base}/folders`, { name: 'L51', parent_folder_id: top.id })
    expect(refusal(deepest)).toEqual(unprocessable(/^parent_folder_id is too deep/))
  })
})

describe('One level of the file browser', () => {
  it('shows the folder, its folders by name, and its files by name and then id, a page at a time', async () => {
    const a = await folder('A')
    for (const name of ['ب', 'أ', 'Z']) await folder(name, a.id)
    for (const name of ['b.txt', 'a.txt', 'a.txt']) await file(name, a.id)
    const level = async (query: string) => (await company.api.get(`${base}/files?${query}`)).body
    const { data, meta } = await level(`folder_id=${a.id}&limit=2&offset=1`)
    expect(data.folder).toEqual(a)
    expect([named(data.folders), named(data.files)]).toEqual([
      ['Z', 'أ', 'ب'],
      ['a.txt', 'b.txt'],
    ])
    expect(meta).toEqual({ total: 3, limit: 2, offset: 1, next_cursor: null })
    expect((await level('')).data).toMatchObject({ folder: null, folders: [a], files: [] })
    const folders = (await company.api.get(`${base}/folders?parent_folder_id=${a.id}`)).body
    expect(named(folders.data)).toEqual(['Z', 'أ', 'ب'])
  })

  it('is named by an id in Western, Arabic-Indic or Persian digits; what is no id of a folder is 404', async () => {
    const a = await folder('A')
    const b = await folder('B', a.id)
    for (const zero of ['0', '٠', '۰']) {
      const id = String(a.id).replace(/\d/g, digit => String.fromCharCode(zero.charCodeAt(0) + Number(digit)))
      const written = encodeURIComponent(id)
      expect((await company.api.get(`${base}/files?folder_id=${written}`)).body.data.folder).toEqual(a)
      expect((await company.api.get(`${base}/folders?parent_folder_id=${written}`)).body.data).toEqual([b])
    }
    for (const id of ['x', '1.5', `${a.id}%00`, '99999999999999999999'])
      for (const query of [`files?folder_id=${id}`, `folders?parent_folder_id=${id}`])
        expect([query, (await company.api.get(`${base}/${query}`)).status]).toEqual([query, 404])
  })
})

describe('Deleting a folder', () => {
  /** More than the job removes in one step. */
  const FILES = 600
  let [top, below] = [{ id: 0 }, { id: 0 }]
  let inside: { id: number; ref: string }
  beforeEach(async () => {
    company = await app.diwan.company()
    project = await app.diwan.project(company)
    base = `/projects/${project.id}`
    top = await folder('Contracts')
    below = await folder('Signed contracts', top.id)
    inside = (await created(file('Invoice.txt', below.id))).data
    await file('Plan.txt', (await folder('Plans')).id)
  })

  /** Gives a folder as many files like its only one. */
  const fill = (folderId: number, count: number) =>
    app.database.pool.query(
      `insert into files (company_id, project_id, folder_id, ref, name, content_type, size_bytes, digest, scan_state, uploaded_by)
       select company_id, project_id, folder_id, 'fil-' || lpad(id || 'x' || n, 10, '0'), 'Invoice ' || n, 'text/plain', 1,
         md5(id || ' ' || n) || md5(n::text), 'clean', uploaded_by
       from files, generate_series(1, $3::int) n where company_id = $1 and folder_id = $2`,
      [company.id, folderId, count],
    )
  const left = async () => {
    const { rows } = await app.database.pool.query(
      `select (select count(*)::int from files where company_id = $1) as files,
              (select count(*)::int from folders where company_id = $1) as folders,
              (select count(*)::int from pgboss.job where name = 'remove-bytes' and (data ->> 'company_id')::bigint = $1) as bytes`,
      [company.id],
    )
    return rows[0]
  }

  it('hides it at once from every read, with everything in it, counts that, and costs as much as deleting an empty one', async () => {
    const { api, admin } = company
    await fill(below.id, FILES - 1)
    const empty = await folder('Empty')
    await newLink(company, project.id, { folder_id: (await folder('Drafts', below.id)).id })
    const list = await newList(company, project.id)
    const attach = () => api.post(`/lists/${list.id}/comments`, { content: 'See here', attachments: [inside.ref] })
    await created(attach())
    const before = { ...(await left()), statements }
    expect((await api.delete(`${base}/folders/${empty.id}`)).status).toBe(200)
    const cost = statements - before.statements
    const { status, body } = await api.delete(`${base}/folders/${top.id}`)
    expect([status, body.data]).toEqual([
      200,
      { deleted: true, folder: { id: top.id, name: 'Contracts' }, destroyed: { files: FILES + 1, subfolders: 2 } },
    ])
    expect(statements - before.statements).toBe(2 * cost)
    expect(await left()).toMatchObject({ files: before.files, bytes: 0 })

    const gone = [`${base}/folders/${top.id}`, `${base}/folders/${below.id}`, `${base}/files/${inside.ref}`]
    const reads = [...gone, `${base}/folders?parent_folder_id=${top.id}`, `${base}/files?folder_id=${below.id}`]
    for (const path of reads) expect([path, (await api.get(path)).status]).toEqual([path, 404])
    for (const path of [...gone, `/files/${inside.ref}`])
      expect([path, (await api.delete(path)).status]).toEqual([path, 404])
    expect((await api.patch(`${base}/folders/${below.id}`, { name: 'Other' })).status).toBe(404)

    const folders = (await api.get(`${base}/folders`)).body
    expect([named(folders.data), folders.meta.total]).toEqual([['Plans'], 1])
    expect(named((await api.get(`${base}/files`)).body.data.folders)).toEqual(['Plans'])
    for (const q of ['invoice', 'contracts']) expect((await api.get(`/search?q=${q}`)).body.data.results).toEqual([])
    expect(JSON.stringify((await api.get(`/lists/${list.id}/comments`)).body)).not.toContain(inside.ref)
    expect((await attach()).status).toBe(422)

    expect(named((await admin.get('/files')).body.data)).toEqual(['Plan.txt'])
    expect((await admin.post(`/files/${inside.ref}/scan`)).status).toBe(404)
    const counted: number[] = Object.values((await admin.get('/counts')).body.data.files)
    expect(counted.reduce((sum, files) => sum + files)).toBe(1)
    const changes: { record: { title: string | null } }[] = (await admin.get('/changes?kind=folder')).body.data
    expect(new Set(changes.map(({ record }) => record.title))).toEqual(new Set(['Plans', null]))
  })

  it('lets nothing more in, and leaves its name to the next', async () => {
    await company.api.delete(`${base}/folders/${top.id}`)
    const late = [
      company.api.post(`${base}/folders`, { name: 'Late', parent_folder_id: below.id }),
      file('late.txt', below.id),
      company.api.post(`${base}/links`, { name: 'Late', external_url: 'https://example.com/', folder_id: top.id }),
    ]
    expect(statusesOf(await Promise.all(late))).toEqual([422, 422, 422])
    expect((await folder('Contracts')).id).not.toBe(top.id)
  })

  it('counts what was put into it at the same moment, or refuses that', async () => {
    const [deleted, ...uploads] = await Promise.all([
      company.api.delete(`${base}/folders/${top.id}`),
      ...Array.from({ length: 10 }, (_, n) => file(`${n}.txt`, below.id)),
    ])
    const stored = uploads.filter(({ status }) => status === 201).length
    expect(uploads.filter(({ status }) => status !== 201 && status !== 422)).toEqual([])
    expect(deleted.body.data.destroyed).toEqual({ files: 1 + stored, subfolders: 1 })
  })

  it('leaves it to a job to remove it in steps, which go on after one has failed; its bytes follow, and the feed has one entry', async () => {
    await fill(below.id, FILES - 1)
    await newLink(company, project.id, { folder_id: top.id })
    // Deleted before it, and not removed yet when the folder above it goes.
    const inner = await folder('Drafts', below.id)
    await file('Draft.txt', inner.id)
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
    const { files, bytes } = await left()
    expect([files, bytes >= 499]).toEqual([FILES + 3 - 500, true])
    await removeFolders(app)
    expect(await left()).toEqual({ files: 1, folders: 1, bytes: FILES + 1 })
    const entries = await entriesAfter(app, company.api, since)
    expect(entries).toMatchObject([{ kind: 'folder', change: 'deleted', id: top.id }])
  })
})
