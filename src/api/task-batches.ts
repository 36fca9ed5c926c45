import Type from 'typebox'
import { requireExternalIdsFree } from '../domain/records/external-ids.ts'
import { mergedMetadata } from '../domain/records/metadata.ts'
import { say } from '../domain/sentences/sentences.ts'
import { type Problem, refusalOf } from '../http/requests/body.ts'
import { toRichText } from '../lib/rich-text.ts'
import { type Call, endpoint } from './gate.ts'
import { findAssignees } from './members.ts'
import { findTaskList } from './task-lists.ts'
import { NewTask, Task } from './task-record.ts'
import { addTasks } from './task-writes.ts'

type SentTask = Type.Static<typeof NewTask>

export const createTasks = endpoint({
  name: 'create_tasks',
  tool: 'create_tasks',
  since: '1.5.0',
  operation: 'tasks:write',
  summary: 'Create several tasks',
  description:
    'Creates all of the tasks, in the order given, or none of them. Each task counts as one call. Unknown fields inside a task are refused.',
  method: 'POST',
  at: ['/projects/:project/lists/:list/tasks/batch', '/lists/:list/tasks/batch'],
  find: findTaskList,
  body: Type.Object(
    { tasks: Type.Array(NewTask, { minItems: 1, maxItems: 100 }) },
    {
      examples: [
        {
          tasks: [
            { title: 'شراء الأثاث المكتبي', due_at: '2027-02-01', assignee_email: 'layla@example.com' },
            { title: 'Order the desks' },
          ],
        },
      ],
    },
  ),
  spendsPer: 'tasks',
  status: 201,
  returns: Type.Object({
    data: Type.Array(Task),
    meta: Type.Object({ count: Type.Integer({ description: 'How many tasks were created' }) }),
  }),
  async run(call, list) {
    const { tasks } = call.body
    const assignees = await requireAssignees(call, list.project_id, tasks)
    const columns = tasks.map(({ assignee_email, notes, metadata, ...task }) => ({
      ...task,
      notes: notes && toRichText(notes),
      metadata: mergedMetadata(metadata),
      assignee_id: assignee_email ? assignees.get(assignee_email) : null,
    }))
    requireDistinct(tasks)
    const ids = tasks.map(({ external_id }) => external_id)
    await requireExternalIdsFree(call, 'task', ids, n => `tasks[${n}].external_id`)
    const data = await addTasks(call, list, columns)
    return { data, meta: { count: data.length } }
  },
})

/** Two tasks cannot have the same external id: 422 naming each that repeats one. */
function requireDistinct(tasks: SentTask[]): void {
  const ids = tasks.map(({ external_id }) => external_id)
  const [first, ...others] = ids.flatMap((id, n): Problem[] => {
    const before = id ? ids.indexOf(id) : n
    return before < n
      ? [[`tasks[${n}].external_id`, say('is the same as that of {other}', { other: `tasks[${before}]` })]]
      : []
  })
  if (first) throw refusalOf([first, ...others])
}

/** The people with these email addresses, or 422 naming each task whose address nobody has. */
async function requireAssignees(call: Call, projectId: number, tasks: SentTask[]): Promise<Map<string, number>> {
  const emails = new Set(tasks.map(({ assignee_email }) => assignee_email).filter(email => !!email))
  if (emails.size === 0) return new Map()
  const people = await findAssignees(call, projectId, [...emails] as string[])
  const [first, ...others] = tasks.flatMap(({ assignee_email: email }, n): Problem[] =>
    email && !people.has(email)
      ? [[`tasks[${n}].assignee_email`, say('{email} is not a member of the project', { email })]]
      : [],
  )
  if (first) throw refusalOf([first, ...others])
  return people
}
