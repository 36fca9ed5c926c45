import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'

const app = useApp()
let company: TestCompany
let base: string

beforeAll(async () => {
  company = await app.diwan.company()
})

async function newProject(): Promise<string> {
  base = `/projects/${(await app.diwan.project(company)).id}`
  return base
}

const folder = async (name: string, parent_folder_id: number | null = null) =>
  (await company.api.post(`${base}/folders`, { name, parent_folder_id })).body.data
const file = (name: string, folder_id: number | null = null) =>
  company.api.post(`${base}/files`, { name, folder_id, content: name })

describe('A folder', () => {
  it('is created with exactly the fields of a folder, and its path ends in its name', async () => {
    await newProject()
    const { status, body } = await company.api.post(`${base}/folders`, { name: 'تصاميم', description: 'كل شيء' })
    expect(status).toBe(201)
    expect(body.data).toEqual({
      id: expect.any(Number),
      name: 'تصاميم',
      path: '/تصاميم',
      description: 'كل شيء',
      parent_folder_id: null,
      created_at: expect.stringMatching(/Z$/),
    })
    const below = await folder('2026', body.data.id)
    expect(below).toMatchObject({ path: '/تصاميم/2026', parent_folder_id: body.data.id })
    expect((await company.api.get(`${base}/folders/${below.id}`)).body.data).toEqual(below)
  })

  it('has a name that no other folder in the same place has, also after a rename or a move', async () => {
    await newProject()
    const a = await folder('A')
    const b = await folder('B')
    const inside = await folder('B', a.id)
    for (const answer of [
      await company.api.post(`${base}/folders`, { name: 'A' }),
      await company.api.patch(`${base}/folders/${b.id}`, { name: 'A' }),
      await company.api.patch(`${base}/folders/${inside.id}`, { parent_folder_id: null }),
    ]) {
      expect([answer.status, answer.body.error.message]).toEqual([422, expect.stringMatching(/^name is already used/)])
    }
  })

  it.each(['a/b', 'a\\b', '.', '..', 'NUL', 'con.txt', 'x\u202exe.pdf', ' ', 'a\tb'])(
    'is not called %j',
    async name => {
      await newProject()
      const { status, body } = await company.api.post(`${base}/folders`, { name })
      expect([status, body.error.message]).toEqual([422, expect.stringMatching(/^name /)])
    },
  )

  it('can be renamed, described and moved, and cannot be moved into itself or below itself', async () => {
    await newProject()
    const a = await folder('A')
    const b = await folder('B', a.id)
    const c = await folder('C', b.id)
    for (const parent of [a.id, b.id, c.id]) {
      const { status, body } = await company.api.patch(`${base}/folders/${a.id}`, { parent_folder_id: parent })
      expect([status, body.error.message]).toEqual([
        422,
        expect.stringMatching(/^parent_folder_id can't be the folder itself/),
      ])
    }
    const moved = await company.api.patch(`${base}/folders/${c.id}`, {
      name: 'ج',
      parent_folder_id: null,
      description: 'x',
    })
    expect(moved.body.data).toMatchObject({ path: '/ج', parent_folder_id: null, description: 'x' })
    expect((await company.api.patch(`${base}/folders/${c.id}`, {})).body.data).toEqual(moved.body.data)
  })

  it('of another project, another company or nowhere is 422 as a parent and 404 in an address', async () => {
    await newProject()
    const foreign = await folder('Foreign')
    await newProject()
    for (const id of [foreign.id, 999_999_999]) {
      expect((await company.api.post(`${base}/folders`, { name: 'X', parent_folder_id: id })).status).toBe(422)
      expect((await file('x.txt', id)).body.error.message).toMatch(/^folder_id /)
      expect((await company.api.get(`${base}/folders/${id}`)).status).toBe(404)
      expect((await company.api.get(`${base}/files?folder_id=${id}`)).status).toBe(404)
      expect((await company.api.get(`${base}/folders?parent_folder_id=${id}`)).status).toBe(404)
    }
    expect((await company.api.get(`${base}/files?folder_id=abc`)).status).toBe(404)
  })

  it('needs manage_files to be made or changed, and delete_any_file to be deleted', async () => {
    await newProject()
    const { id } = await folder('A')
    const api = app.diwan.api(await app.diwan.key(company.id, { rights: [] }))
    for (const answer of [
      await api.post(`${base}/folders`, { name: 'B' }),
      await api.patch(`${base}/folders/${id}`, { name: 'B' }),
      await api.delete(`${base}/folders/${id}`),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden'])
    }
    expect((await api.post(`${base}/files`, { name: 'a.txt', content: '' })).status).toBe(201)
  })

  it('nests at most 50 levels', async () => {
    await newProject()
    let parent: number | null = null
    for (let level = 1; level <= 50; level++) parent = (await folder(`L${level}`, parent)).id
    expect((await company.api.post(`${base}/folders`, { name: 'L51', parent_folder_id: parent })).status).toBe(422)
  })
})

describe('Deleting a folder', () => {
  it('destroys everything under it and counts it exactly', async () => {
    await newProject()
    const a = await folder('A')
    const b = await folder('B', a.id)
    const c = await folder('C', b.id)
    await folder('D', c.id)
    await file('root.txt')
    for (const [name, place] of [
      ['1.txt', a.id],
      ['2.txt', c.id],
      ['3.txt', c.id],
    ] as const)
      await file(name, place)
    const { status, body } = await company.api.delete(`${base}/folders/${a.id}`)
    expect([status, body]).toEqual([
      200,
      { data: { deleted: true, folder: { id: a.id, name: 'A' }, destroyed: { files: 3, subfolders: 3 } } },
    ])
    expect((await company.api.delete(`${base}/folders/${a.id}`)).status).toBe(404)
    const level = await company.api.get(`${base}/files`)
    expect([level.body.data.folders, level.body.meta.total]).toEqual([[], 1])
  })

  it('counts what was put into it at the same moment, or refuses that', async () => {
    await newProject()
    const a = await folder('A')
    const b = await folder('B', a.id)
    const [deleted, ...uploads] = await Promise.all([
      company.api.delete(`${base}/folders/${a.id}`),
      ...Array.from({ length: 10 }, (_, n) => file(`${n}.txt`, b.id)),
    ])
    const stored = uploads.filter(answer => answer?.status === 201).length
    expect(uploads.every(answer => answer?.status === 201 || answer?.status === 422)).toBe(true)
    expect(deleted?.body.data.destroyed).toEqual({ files: stored, subfolders: 1 })
  })
})

describe('One level of the file browser', () => {
  it('shows the folder, its folders by name, and its files by name and then id, a page at a time', async () => {
    await newProject()
    const a = await folder('A')
    for (const name of ['ب', 'أ', 'Z']) await folder(name, a.id)
    for (const name of ['b.txt', 'a.txt', 'a.txt']) await file(name, a.id)
    const { body } = await company.api.get(`${base}/files?folder_id=${a.id}&limit=2&offset=1`)
    expect(body.data.folder).toEqual(a)
    expect(body.data.folders.map((each: { name: string }) => each.name)).toEqual(['Z', 'أ', 'ب'])
    expect(body.data.files.map((each: { name: string }) => each.name)).toEqual(['a.txt', 'b.txt'])
    expect(body.meta).toEqual({ total: 3, limit: 2, offset: 1, next_cursor: null })
    const past = await company.api.get(`${base}/files?folder_id=${a.id}&offset=10`)
    expect([past.body.data.files, past.body.meta.total]).toEqual([[], 3])
    const root = await company.api.get(`${base}/files`)
    expect([root.body.data.folder, root.body.data.folders]).toEqual([null, [a]])
    expect((await company.api.get(`${base}/folders?parent_folder_id=${a.id}&limit=1`)).body.meta).toEqual({
      total: 3,
      limit: 1,
      offset: 0,
      count: 1,
      next_cursor: expect.any(String),
    })
  })

  it('is named by an id in Western, Arabic-Indic or Persian digits; what is no id of a folder is 404', async () => {
    await newProject()
    const a = await folder('A')
    const b = await folder('B', a.id)
    for (const zero of ['0', '٠', '۰']) {
      const id = String(a.id).replace(/\d/g, digit => String.fromCharCode(zero.charCodeAt(0) + Number(digit)))
      const written = encodeURIComponent(id)
      expect((await company.api.get(`${base}/files?folder_id=${written}`)).body.data.folder).toEqual(a)
      expect((await company.api.get(`${base}/folders?parent_folder_id=${written}`)).body.data).toEqual([b])
    }
    for (const id of ['x', '-1', '1.5', '%00', `${a.id}%00`, '%D9%A0', '99999999999999999999', `${a.id}x`]) {
      expect((await company.api.get(`${base}/files?folder_id=${id}`)).status).toBe(404)
      expect((await company.api.get(`${base}/folders?parent_folder_id=${id}`)).status).toBe(404)
    }
  })
})
