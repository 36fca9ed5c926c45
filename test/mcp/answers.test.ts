import type { Client } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { callTool, connectAgent } from '../support/agent.ts'
import { useApp } from '../support/app.ts'
import { furnishWork, newDiscussion, newList, type Work } from '../support/factories.ts'
import { noonZone } from '../support/noon-zone.ts'

const app = useApp()
let work: Work
let agent: Client
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  agent = await connectAgent(`${app.url}/mcp`, work.company.key)
})

const LONG = 'ملاحظات طويلة جدا '.repeat(3_600)

describe('An answer', () => {
  it('is what the API answers, as compact JSON, without what says nothing', async () => {
    const { texts } = await callTool(agent, 'get_task', { task: work.task.id })
    const { body } = await work.company.api.get(`/tasks/${work.task.id}`)
    const { project_slug, task_list_slug, ...told } = body.data
    expect([project_slug, task_list_slug]).toEqual([expect.any(String), expect.any(String)])
    const isTold = ([, value]: [string, unknown]) => value !== null
    expect(Object.values(told)).toContain(null)
    expect(texts).toEqual([JSON.stringify({ data: Object.fromEntries(Object.entries(told).filter(isTold)) })])
  })

  it('of get_account says which day it is where the company is', async () => {
    const company = await app.diwan.company({ time_zone: noonZone() })
    const { answer } = await callTool(await connectAgent(`${app.url}/mcp`, company.key), 'get_account', {})
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: noonZone() }).format(new Date())
    expect(answer.data).toMatchObject({ today, time_zone: noonZone(), key: { name: expect.any(String) } })
  })

  it('of a collection has 25 records, and the cursor leads to the others', async () => {
    const list = await newList(work.company, work.project.id, { title: 'Many' })
    const tasks = Array.from({ length: 30 }, (_, n) => ({ title: `Task ${n}` }))
    await work.company.api.post(`/lists/${list.id}/tasks/batch`, { tasks })
    const first = (await callTool(agent, 'list_tasks', { list: list.id, limit: 100 })).answer
    expect(first).toMatchObject({ meta: { total: 30, count: 25, limit: 25 } })
    const second = (await callTool(agent, 'list_tasks', { list: list.id, cursor: first.meta.next_cursor })).answer
    const titles = [...first.data, ...second.data].map(({ title }) => title)
    expect(titles).toEqual(tasks.map(({ title }) => title))
    expect(second.meta).toMatchObject({ next_cursor: null })
    const { answer } = await callTool(agent, 'find_tasks', { limit: 2 })
    expect(answer).toMatchObject({ meta: { count: 2, limit: 2 } })
    expect((await callTool(agent, 'find_tasks', { limit: 'all' })).answer.meta.limit).toBe(25)
  })

  it('has at most 20 kB: long texts are cut, and the mark names the tool that shows more', async () => {
    const list = await newList(work.company, work.project.id, { title: 'Wordy' })
    const tasks = Array.from({ length: 13 }, () => ({ title: 'ع'.repeat(255), notes: LONG.slice(0, 30_000) }))
    for (const half of [tasks, tasks]) await work.company.api.post(`/lists/${list.id}/tasks/batch`, { tasks: half })
    const { texts, answer } = await callTool(agent, 'list_tasks', { list: list.id })
    expect(Buffer.byteLength(texts[0] as string)).toBeLessThanOrEqual(20_000)
    expect(answer.data).toHaveLength(25)
    expect(answer.data[0].notes).toMatch(/^ملاحظات .*… \[cut: get_task shows all of it\]$/)
    expect(answer.data[0].id).toMatch(/^tsk-[0-9a-z]{10}$/)
    const more = await callTool(agent, 'list_tasks', { list: list.id, cursor: answer.meta.next_cursor })
    expect(more.answer.data).toHaveLength(1)
  })

  it('of a single record is cut too when it is too long, and says how long it is', async () => {
    const { id } = await newDiscussion(work.company, work.project.id, { title: 'Long', body: LONG.slice(0, 60_000) })
    const { texts, answer } = await callTool(agent, 'get_discussion', { discussion: id })
    expect(Buffer.byteLength(texts[0] as string)).toBeLessThanOrEqual(20_000)
    expect(answer.data.body).toMatch(/… \[cut: 60000 characters in all\]$/)
    expect(answer.data.body.length).toBeGreaterThan(3_000)
  })

  it('of a write is never refused for its length: what was created is named by id and title', async () => {
    const list = await newList(work.company, work.project.id, { title: 'Much at once' })
    for (const title of ['Order the desks', 'ع'.repeat(255), '\u{1f4c5}'.repeat(255)]) {
      const tasks = Array.from({ length: 100 }, () => ({ title, notes: 'As agreed' }))
      const { isError, texts, answer } = await callTool(agent, 'create_tasks', { list: list.id, tasks })
      expect(isError).toBe(false)
      expect(Buffer.byteLength(texts[0] as string)).toBeLessThanOrEqual(20_000)
      expect(answer.meta).toEqual({ count: 100 })
      const ids = answer.data.map(({ id }: { id: string }) => id)
      expect(new Set(ids).size).toBe(100)
      expect(title.startsWith(answer.data[99].title.replace('…', ''))).toBe(true)
      expect(texts[1]).toBe('Shortened: get_task shows one in full.')
      expect((await callTool(agent, 'get_task', { task: ids[99] })).answer.data).toMatchObject({ title })
    }
    expect((await work.company.api.get(`/lists/${list.id}/tasks?limit=1`)).body.meta.total).toBe(300)
  })

  it('of a read is never refused for its length either, whatever the records are called', async () => {
    const list = await newList(work.company, work.project.id, { title: 'ق'.repeat(250) })
    const titles = Array.from({ length: 25 }, (_, n) => `${'ك'.repeat(250)} ${n}`)
    await work.company.api.post(`/lists/${list.id}/tasks/batch`, { tasks: titles.map(title => ({ title })) })
    const { isError, texts, answer } = await callTool(agent, 'search', { q: 'ك'.repeat(250), per_type: 25 })
    expect(isError).toBe(false)
    expect(Buffer.byteLength(texts[0] as string)).toBeLessThanOrEqual(20_000)
    expect(answer.data.results).toHaveLength(25)
  })
})

describe('A refusal', () => {
  it('is an error that names the argument, in the words of the API where these fit', async () => {
    const half = /must not contain .*surrogate pair$/
    const refusals: [tool: string, args: Record<string, unknown>, message: unknown][] = [
      ['create_task', { list: work.list.id, title: ' ' }, "title can't be blank"],
      ['find_tasks', { due_from: 'soon' }, expect.stringContaining('due_from')],
      ['get_task', {}, "task can't be blank"],
      ['get_task', { task: '..' }, "task can't be blank"],
      ['get_task', { task: 'tsk-0000000000' }, 'task: nothing is called "tsk-0000000000"'],
      ['get_task', { task: 'tsk-1/../../me' }, 'task: nothing is called "tsk-1/../../me"'],
      ['list_tasks', { list: work.task.id }, `list: nothing is called "${work.task.id}"`],
      ['get_task', { task: 'x'.repeat(900_000) }, `task: nothing is called "${'x'.repeat(100)}…"`],
      ['get_project', { project: '\ud800' }, expect.stringMatching(half)],
      ['search', { q: 'a\udc00' }, expect.stringMatching(half)],
      ['find_tasks', { metadata: { '\ud800': 'x' } }, expect.stringMatching(half)],
      ['find_tasks', { metadata: { stage: { a: 1 } } }, 'metadata[stage] must be text, a number, true or false'],
      ['list_projects', { limit: { valueOf: 1 } }, 'limit must be text, a number, true or false'],
      ['search', { q: ['desk'] }, 'q must be text, a number, true or false'],
      ['search', { q: 'desk', types: ['task', {}] }, 'types must be text, a number, true or false'],
      [
        'find_tasks',
        { assignee: 'me' },
        expect.stringMatching(/^assignee is not an argument of find_tasks\. It takes /),
      ],
      [
        'get_account',
        { ['x'.repeat(900)]: 1 },
        `${'x'.repeat(100)}… is not an argument of get_account. It takes none.`,
      ],
    ]
    for (const [name, args, message] of refusals)
      expect([name, await callTool(agent, name, args)]).toMatchObject([name, { isError: true, texts: [message] }])
  })

  it('of an argument that the tool does not have leaves nothing done', async () => {
    const refused = await callTool(agent, 'update_task', { task: work.task.id, title: 'New', titel: 'Newer' })
    const message = expect.stringMatching(/^titel is not an argument of update_task\. It takes task, title, notes, /)
    expect(refused).toMatchObject({ isError: true, texts: [message] })
    expect((await work.company.api.get(`/tasks/${work.task.id}`)).body.data.title).not.toBe('New')
  })
})
