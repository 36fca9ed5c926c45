import type { Client } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { callTool, connectAgent } from '../support/agent.ts'
import { useApp } from '../support/app.ts'
import { furnishWork, newDiscussion, newList, type Work } from '../support/factories.ts'

const app = useApp()
let work: Work
let agent: Client
beforeAll(async () => {
  work = await furnishWork(app.diwan)
  agent = await connectAgent(`${app.url}/mcp`, work.company.key)
})

const LONG = 'ملاحظات طويلة جدا '.repeat(3_600)

describe('An answer', () => {
  it('is what the API answers, as compact JSON', async () => {
    const { texts } = await callTool(agent, 'get_task', { task: work.task.id })
    const { body } = await work.company.api.get(`/tasks/${work.task.id}`)
    expect(texts).toEqual([JSON.stringify(body)])
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

  it('says which arguments mean nothing', async () => {
    const { texts } = await callTool(agent, 'update_task', { task: work.task.id, titel: 'New' })
    expect(texts[1]).toBe('Unknown, and ignored: titel')
    expect((await callTool(agent, 'find_tasks', { assignee: 'me' })).texts[1]).toBe('Unknown, and ignored: assignee')
  })
})

describe('A refusal', () => {
  it('is an error that the agent can read, in the words of the API', async () => {
    const refusals = [
      ['get_task', { task: 'tsk-0000000000' }, 'The record was not found.'],
      ['create_task', { list: work.list.id, title: ' ' }, "title can't be blank"],
      ['find_tasks', { due_from: 'soon' }, expect.stringContaining('due_from')],
      ['get_task', {}, "task can't be blank"],
      ['get_task', { task: '..' }, "task can't be blank"],
      ['get_task', { task: 'tsk-1/../../me' }, 'The record was not found.'],
    ] as const
    for (const [name, args, message] of refusals)
      expect(await callTool(agent, name, args)).toMatchObject({ isError: true, texts: [message] })
  })
})
