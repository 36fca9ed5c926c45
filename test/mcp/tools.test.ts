import { beforeAll, describe, expect, it } from 'vitest'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { callTool, connectAgent, PROTOCOLS, toolNames } from '../support/agent.ts'
import { useApp } from '../support/app.ts'
import { furnishWork, newList, type Work } from '../support/factories.ts'

const app = useApp()
let work: Work
beforeAll(async () => {
  work = await furnishWork(app.diwan)
})

const address = (query = '') => `${app.url}/mcp${query}`
const declared = apiEndpoints.flatMap(({ tool, operation }) => (tool ? [{ tool, operation }] : []))

it.each(PROTOCOLS)(
  'The protocol of %s has every tool, and its refusals in the language of the agent',
  async protocol => {
    const agent = await connectAgent(address(), work.company.key, protocol, { 'accept-language': 'ar' })
    expect(agent.getNegotiatedProtocolVersion()).toBe(protocol)
    expect(agent.getServerVersion()).toMatchObject({ name: 'diwan' })
    expect(await toolNames(agent)).toEqual(declared.map(({ tool }) => tool).sort())
    const { answer } = await callTool(agent, 'get_task', { task: work.task.id })
    expect(answer.data).toMatchObject({ id: work.task.id })
    const { isError, texts } = await callTool(agent, 'create_task', { list: work.list.id, title: ' ' })
    expect([isError, texts]).toEqual([true, ['\u2068title\u2069 لا يجوز أن يكون فارغًا']])
    await expect(agent.callTool({ name: 'drop_everything', arguments: {} })).rejects.toThrow('drop_everything')
  },
)

describe('The tools', () => {
  it('take ext: and an external id where they take a ref', async () => {
    const agent = await connectAgent(address(), work.company.key)
    const [inList, inTask] = ['قائمة/7', 'crm 50%']
    const list = await newList(work.company, work.project.id, { external_id: inList })
    const fields = { title: 'Desks', external_id: inTask }
    const { answer } = await callTool(agent, 'create_task', { list: `ext:${inList}`, ...fields })
    expect(answer.data).toMatchObject({ task_list_id: list.id, external_id: inTask })
    for (const tool of ['get_task', 'complete_task', 'reopen_task', 'delete_task'])
      expect([tool, (await callTool(agent, tool, { task: `ext:${inTask}` })).isError]).toEqual([tool, false])
    const { isError, texts } = await callTool(agent, 'get_task', { task: `ext:${inTask}` })
    expect([isError, texts.join()]).toEqual([true, expect.stringContaining('nothing is called')])
  })

  it('can be called, each of them, and finds a task by its metadata', async () => {
    const agent = await connectAgent(address(), work.company.key)
    const { project, list, task, discussion } = work
    const other = await newList(work.company, project.id, { title: 'Other' })
    const made = await callTool(agent, 'create_task', { list: list.id, title: 'شراء الكراسي', due_at: '2027-01-10' })
    const event = await callTool(agent, 'create_event', {
      name: 'Visit',
      starts_at: '2027-01-01',
      ends_at: '2027-01-01',
    })
    const args: Record<string, Record<string, unknown>> = {
      search: { q: 'الكراسي', types: ['task'] },
      create_project: { name: 'By an agent' },
      get_project: { project: project.id },
      update_project: { project: project.id, description: 'Read by an agent' },
      list_project_members: { project: project.id },
      list_task_lists: { project: project.slug },
      create_task_list: { project: project.id, title: 'New', priority: 'high' },
      find_tasks: {
        completed: false,
        project: [project.id],
        assignee_email: [],
        sort: '-due',
        metadata: { stage: 'x' },
      },
      list_tasks: { list: list.id },
      create_task: { list: list.id, title: 'One' },
      create_tasks: { list: list.id, tasks: [{ title: 'Two' }, { title: 'Three' }] },
      change_tasks: { changes: [{ task: task.id, do: 'update', metadata: { stage: 'review' } }] },
      get_task: { task: task.id },
      update_task: { task: task.id, notes: 'Read by an agent' },
      complete_task: { task: task.id },
      reopen_task: { task: task.id },
      set_task_time: { task: task.id, time_spent: '1:30' },
      move_task: { task: made.answer.data.id, list_id: other.id },
      list_task_comments: { task: task.id },
      comment_on_task: { task: task.id, content: 'Done' },
      list_discussions: { project: project.id },
      get_discussion: { discussion: discussion.id },
      create_discussion: { project: project.id, title: 'Which weekend?' },
      update_discussion: { discussion: discussion.id, body: 'Read by an agent' },
      list_replies: { discussion: discussion.id },
      reply_to_discussion: { discussion: discussion.id, content: 'In March' },
      list_events: { from: '2027-01-01' },
      create_event: { name: 'Visit', starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' },
      update_event: { event: event.answer.data.id, all_day: true },
      delete_task: { task: made.answer.data.id },
    }
    for (const { tool } of [...declared].sort(
      (a, b) => Number(a.tool === 'delete_task') - Number(b.tool === 'delete_task'),
    )) {
      const { isError, texts, answer } = await callTool(agent, tool, args[tool])
      expect([tool, isError, texts.length], texts.join()).toEqual([tool, false, 1])
      expect(answer).toHaveProperty('data')
    }
    const staged = await callTool(agent, 'find_tasks', { metadata: { stage: 'review' } })
    expect(staged.answer.data).toMatchObject([{ id: task.id }])
    expect((await work.company.api.get(`/tasks/${made.answer.data.id}`)).status).toBe(404)
    const moved = await work.company.api.get(`/lists/${other.id}/tasks`)
    expect(moved.body.meta.total).toBe(0)
  })
})

describe('The list', () => {
  const listFor = async (settings: Record<string, unknown>, query = '') =>
    toolNames(await connectAgent(address(query), await app.diwan.key(work.company.id, settings)))
  const toolsOf = (allowed: (operation: string) => boolean) =>
    declared
      .filter(({ operation }) => allowed(operation))
      .map(({ tool }) => tool)
      .sort()

  it('holds what the key may call, and nothing else', async () => {
    const reading = toolsOf(operation => operation.endsWith(':read'))
    expect(await listFor({ access: 'read', operations: undefined, rights: [] })).toEqual(reading)
    const operations = ['tasks:read', 'tasks:write', 'account:read']
    expect(await listFor({ operations })).toEqual(toolsOf(operation => operations.includes(operation)))
    expect(await listFor({ operations: [] })).toEqual([])
  })

  it('is narrowed to resources by the address, and refused where that names one without tools', async () => {
    const expected = toolsOf(operation => /^(tasks|projects):/.test(operation))
    for (const query of ['?tools=tasks,projects', '?tools=tasks&tools=projects', '?tools[]=tasks&tools[]=projects'])
      expect([query, await listFor({}, query)]).toEqual([query, expected])
    const headers = { authorization: `Bearer ${work.company.key}`, 'content-type': 'application/json' }
    for (const tools of ['task', 'tasks,nothing', 'files', ',']) {
      const answer = await fetch(address(`?tools=${tools}`), { method: 'POST', headers, body: '{}' })
      const { error } = (await answer.json()) as { error: { message: string } }
      const message =
        'tools must name one or more of account, projects, task_lists, tasks, comments, discussions, events'
      expect([tools, answer.status, error.message]).toEqual([tools, 422, message])
    }
  })

  it('says what each tool does to the records, by its operation', async () => {
    const { tools } = await (await connectAgent(address(), work.company.key)).listTools()
    const hints = (name: string) => tools.find(tool => tool.name === name)?.annotations
    expect(hints('find_tasks')).toEqual({ readOnlyHint: true, openWorldHint: false })
    expect(hints('delete_task')).toEqual({ destructiveHint: true, idempotentHint: false, openWorldHint: false })
    for (const name of ['update_task', 'complete_task', 'reopen_task', 'move_task'])
      expect(hints(name)).toEqual({ destructiveHint: false, idempotentHint: true, openWorldHint: false })
    for (const name of ['create_task', 'comment_on_task'])
      expect(hints(name)).toEqual({ destructiveHint: false, idempotentHint: false, openWorldHint: false })
  })
})
