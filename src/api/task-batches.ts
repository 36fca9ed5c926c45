import Type from 'typebox'
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
    const columns = tasks.map(({ assignee_email, notes, ...task }) => ({
      ...task,
      notes: notes && toRichText(notes),
      assignee_id: assignee_email ? assignees.get(assignee_email) : null,
    }))
    const data = await addTasks(call, list, columns)
    return { data, meta: { count: data.length } }
  },
})

/** The people with these email addresses, or 422 naming each task whose address nobody has. */
async function requireAssignees(call: Call, projectId: number, tasks: SentTask[]): Promise<Map<string, number>> {
  const emails = new Set(tasks.map(({ assignee_email }) => assignee_email).filter(email => !!email))
  if (emails.size === 0) return new Map()
  const people = await findAssignees(call, projectId, [...emails] as string[])
  const [first, ...others] = tasks.flatMap(({ assignee_email: email }, n): Problem[] =>
    email && !people.has(email) ? [[`tasks[${n}].assignee_email`, `${email} is not a member of the project`]] : [],
  )
  if (first) throw refusalOf([first, ...others])
  return people
}
