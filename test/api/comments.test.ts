import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, it } from 'vitest'
import { isStorableText, isVisible } from '../../src/lib/text.ts'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { furnishWork, INSTANT, newTask, SLUGS, type Work } from '../support/factories.ts'
import { inPagesOfTwo } from '../support/furnished.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
let work: Work
/** The three places for comments, each at its nested and its flat address. */
let places: Record<'list' | 'task' | 'discussion', string[]>
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  company = work.company
  const list = `/projects/${SLUGS.project}/lists/${SLUGS.list}`
  places = {
    list: [`${list}/comments`, `/lists/${work.list.id}/comments`],
    task: [`${list}/tasks/${SLUGS.task}/comments`, `/tasks/${work.task.id}/comments`],
    discussion: [
      `/projects/${SLUGS.project}/discussions/${SLUGS.discussion}/comments`,
      `/discussions/${work.discussion.id}/comments`,
    ],
  }
})

/** Stores a comment as the product's editor writes it: as rich text. */
async function storeRichText(html: string) {
  const { id } = await app.database.db.one<{ id: number }>(sql`
    insert into comments (company_id, task_id, body, author_id)
    select company_id, id, ${html}, created_by from tasks where ref = ${work.task.id} returning id`)
  return id
}

const shown = async (id: number) => {
  const { body } = await company.api.get(`${places.task[1]}?limit=100`)
  return body.data.find((comment: { id: number }) => comment.id === id)
}

describe.each(['list', 'task', 'discussion'] as const)('A comment on a %s', place => {
  it('is created with 201 and shows exactly the fields of the specification, nested and flat', async () => {
    for (const address of places[place]) {
      const { status, body } = await company.api.post(address, { content: ' سطر\r\n\r\n👩‍👩‍👧 <b>&lt;\t\n' })
      expect([status, body]).toEqual([
        201,
        {
          data: {
            id: expect.any(Number),
            content: ' سطر\r\n\r\n👩‍👩‍👧 <b>&lt;\t\n',
            author: company.owner.name,
            created_at: INSTANT,
            updated_at: body.data.created_at,
            attachments: [],
            attachment_refs: [],
          },
        },
      ])
      for (const other of places[place]) {
        const { data, meta } = (await company.api.get(`${other}?limit=100`)).body
        expect(data.at(-1)).toEqual(body.data)
        expect(meta).toEqual({ total: data.length, limit: 100, offset: 0, count: data.length, next_cursor: null })
      }
    }
  })

  it('is refused with 422 and not saved when its content is missing, blank, too long or no text', async () => {
    const address = places[place][1] as string
    const before = (await company.api.get(address)).body.meta.total
    const wrapped = { comment: { content: 'x' } }
    const contents = ['', ' \r\n', '\u200b', null, 5].map(content => ({ content }))
    for (const fields of [{}, ...contents, wrapped])
      expectRefusal(
        await company.api.post(address, fields),
        422,
        'unprocessable_entity',
        expect.stringMatching(/^content /),
      )
    for (const content of ['x'.repeat(65_536), 'a\u0000b', 'a\u001bb', 'half \ud83d'])
      expect((await company.api.post(address, { content })).status).toBe(422)
    expect((await company.api.get(address)).body.meta.total).toBe(before)
    const ignoring = await company.api.post(address, { content: 'x', author: 'Somebody else' })
    expect(ignoring.headers.get('x-ignored-fields')).toBe('author')
    expect(ignoring.body.data.author).toBe(company.owner.name)
  })
})

describe('Comments', () => {
  it('come oldest first, in pages whose total is right past the end too; those of the list apart from those of its tasks', async () => {
    const { company: own, list, task } = await furnishWork(app.diwan)
    for (const content of ['b', 'a', 'c']) await own.api.post(`/tasks/${task.id}/comments`, { content })
    await own.api.post(`/lists/${list.id}/comments`, { content: 'on the list' })
    const pages = await inPagesOfTwo(own.api, `/tasks/${task.id}/comments`)
    expect(pages.map(({ data }) => data.map(({ content }: { content: string }) => content))).toEqual([
      ['b', 'a'],
      ['c'],
      [],
    ])
    expect(pages.at(-1).meta).toEqual({ total: 3, limit: 2, offset: 4, count: 0, next_cursor: null })
    expect((await own.api.get(`/lists/${list.id}/comments`)).body.meta.total).toBe(1)
  })

  it('are signed by the creator of the key, also after that person has left', async () => {
    const omar = await app.diwan.person(company.id, { name: 'عمر عزيز' })
    const { api } = { api: app.diwan.api(await app.diwan.key(company.id, { created_by: omar.id })) }
    const address = places.task[1] as string
    expect((await api.post(address, { content: 'before' })).body.data.author).toBe('عمر عزيز')
    await company.admin.patch(`/users/${omar.id}`, { active: false })
    const after = await api.post(address, { content: 'after' })
    expect([after.status, after.body.data.author]).toEqual([201, 'عمر عزيز'])
    expect((await api.get(`${address}?limit=100`)).body.data.at(-1)).toEqual(after.body.data)
  })

  it('cannot be deleted: no such endpoint', async () => {
    for (const address of [...places.list, ...places.task, ...places.discussion]) {
      const { id } = (await company.api.post(address, { content: 'x' })).body.data
      expectUnknown(await company.api.delete(`${address}/${id}`), `/api/v1${address}/${id}`)
      expectUnknown(await company.api.delete(address), `/api/v1${address}`)
    }
  })

  it.each([
    ['<p>See <attachment filename="plan.pdf"></attachment>this</p>', 'See this', ['plan.pdf']],
    [
      '<div>Two:<attachment filename="خطة ١.pdf" sgid="x">خطة ١.pdf 5 MB</attachment></div><attachment filename="b.png"><img src="b"></attachment>',
      'Two:',
      ['خطة ١.pdf', 'b.png'],
    ],
    ['a<br>b &amp; &lt;c&gt;', 'a\nb & <c>', []],
    ['<p>one</p><p>two</p>', 'one\ntwo', []],
    ['<b>bold</b> and <a href="https://example.com">link</a>', 'bold and link', []],
    [
      'A &quot;quote&quot; <attachment filename="a&amp;b &quot;c&quot;.txt"></attachment>',
      'A "quote" ',
      ['a&b "c".txt'],
    ],
  ])('stored as %s read as plain text, with the names of embedded files apart', async (html, content, attachments) => {
    const attachment_refs = attachments.map(() => null)
    expect(await shown(await storeRichText(html))).toMatchObject({ content, attachments, attachment_refs })
  })

  it('that are nothing but an embedded file have no content and one attachment', async () => {
    const comment = await shown(await storeRichText('<attachment filename="plan.pdf">plan.pdf</attachment>'))
    expect(comment.attachments).toEqual(['plan.pdf'])
    expect(comment.content ?? '').toBe('')
  })
})

describe('Any text of up to 65,535 characters', () => {
  const char = fc.oneof(
    fc.constantFrom(
      '\n',
      '\r',
      '\r\n',
      '\t',
      ' ',
      '&',
      '<',
      '>',
      '"',
      '&amp;',
      '&#13;',
      '<br>',
      '</p>',
      '<attachment>',
      '🚀',
      '👩‍👩‍👧',
      'ّ',
      '\u200f',
      '\ufeff',
      '\\',
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  )
  const text = fc.array(char, { minLength: 1, maxLength: 60 }).map(parts => parts.join(''))

  it('comes back exactly as it was sent, from a comment, notes and a discussion', async () => {
    const task = await newTask(company, work.list.id)
    const property = fc.asyncProperty(
      text.filter(each => isStorableText(each) && isVisible(each)),
      async sent => {
        const { data } = (await company.api.post(`/tasks/${task.id}/comments`, { content: sent })).body
        const [comment] = (await company.api.get(`/tasks/${task.id}/comments?limit=1&offset=${offset++}`)).body.data
        expect([data.content, comment.content]).toEqual([sent, sent])
        expect((await company.api.patch(`/tasks/${task.id}`, { notes: sent })).body.data.notes).toBe(sent)
        const { id } = work.discussion
        expect((await company.api.patch(`/discussions/${id}`, { body: sent })).body.data.body).toBe(sent)
      },
    )
    let offset = 0
    await fc.assert(property, { numRuns: 60, endOnFailure: true })
  })

  it.each(['x', '\n', '🚀', '&', 'م'])('is taken at its full length, made of %j, and not one longer', async unit => {
    const content = `.${unit.repeat(65_534)}`
    const { status, body } = await company.api.post(places.list[1] as string, { content })
    expect([status, body.data.content === content]).toEqual([201, true])
    expect((await company.api.post(places.list[1] as string, { content: content + unit })).status).toBe(422)
  })
})

function expectUnknown({ status, body }: { status: number; body: unknown }, path: string) {
  expect([status, body]).toMatchObject([404, { error: { code: 'unknown_endpoint', path } }])
}
