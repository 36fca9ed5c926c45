import sql from 'sql-template-tag'
import Type from 'typebox'
import { forbidden, unprocessable } from '../domain/errors.ts'
import { isAssignable } from '../domain/people/project-people.ts'
import { findAndLock } from '../domain/records/locks.ts'
import { isNamed, slugFor } from '../domain/records/refs.ts'
import { say } from '../domain/sentences/sentences.ts'
import { Name, Nullable, Single } from '../http/answers/schema.ts'
import { MOST_MINUTES, parseMinutes } from '../lib/duration.ts'
import { type Call, endpoint } from './gate.ts'
import { isListed } from './task-lists.ts'
import { findTask, showTask, Task, type TaskAnswer, type TaskRow } from './task-record.ts'
import { changeAtOnce, changeTask } from './task-writes.ts'

const addresses = (action: string) => [`/projects/:project/lists/:list/tasks/:task/${action}`, `/tasks/:task/${action}`]

export const completeTask = endpoint({
  name: 'complete_task',
  tool: 'complete_task',
  since: '1.2.0',
  operation: 'tasks:write',
  summary: 'Complete a task',
  description: 'No body. Completing it again keeps the first `completed_at`.',
  method: 'POST',
  at: addresses('complete'),
  find: findTask,
  returns: Single(Task),
  atOnce: call => changeAtOnce(call, sql`completed_at = now()`, sql`t.completed_at is null`),
  run: async (call, task) => ({ data: await complete(call, task) }),
})

export function complete(call: Call, task: TaskRow): Promise<TaskAnswer> {
  return task.completed_at === null
    ? changeTask(call, task, sql`completed_at = now()`)
    : showTask(call, sql`t.id = ${task.id}`)
}

export const reopenTask = endpoint({
  name: 'reopen_task',
  tool: 'reopen_task',
  since: '1.2.0',
  operation: 'tasks:write',
  summary: 'Reopen a task',
  description: 'No body. Doing it again changes nothing.',
  method: 'POST',
  at: addresses('incomplete'),
  find: findTask,
  returns: Single(Task),
  atOnce: call => changeAtOnce(call, sql`completed_at = null`, sql`t.completed`),
  run: async (call, task) => ({ data: await reopen(call, task) }),
})

export function reopen(call: Call, task: TaskRow): Promise<TaskAnswer> {
  return task.completed_at === null
    ? showTask(call, sql`t.id = ${task.id}`)
    : changeTask(call, task, sql`completed_at = null`)
}

interface Place {
  id: number
  project_id: number
  archived: boolean
}

/** A ref can name any list of the company, a slug one in the task's project. List and project are locked until the commit. */
async function findDestination(call: Call, task: TaskRow, handle: string): Promise<Place> {
  const { db, company } = call
  const place = { kind: 'task_list', as: 'l', companyId: company.id, parent: task.project_id } as const
  const query = sql`
    select l.id, l.project_id, p.archived from task_lists l
    join projects p on p.company_id = l.company_id and p.id = l.project_id
    where l.company_id = ${company.id} and ${isListed(call)} and ${isNamed(handle, place)}`
  const list = await findAndLock<Place>({ db, holds: 'parent' }, 'l', query)
  if (!list) throw unprocessable('list_id', 'must be the ref of a task list, or the slug of one in the same project')
  if (list.archived) throw forbidden("The destination's project is archived. Unarchive it first.")
  return list
}

async function requireAssignable({ db, company }: Call, task: TaskRow, list: Place): Promise<void> {
  if (task.assignee_id === null || list.project_id === task.project_id) return
  const user = await db.maybe(
    sql`select 1 from users u where ${isAssignable(company.id, list.project_id)} and u.id = ${task.assignee_id}`,
  )
  if (!user)
    throw unprocessable('list_id', 'is in a project that the assignee is not a member of: change the assignee first')
}

export const Destination = Name({
  description: 'The ref of any list of the company, or the slug of one in the same project',
})

export const moveTask = endpoint({
  name: 'move_task',
  tool: 'move_task',
  since: '1.2.0',
  operation: 'tasks:write',
  summary: 'Move a task to another list',
  description: 'The task keeps its ref, its comments and its time.',
  method: 'POST',
  at: addresses('move'),
  find: findTask,
  body: Type.Object({ list_id: Destination }, { examples: [{ list_id: 'lst-7m2kq90xcd' }] }),
  returns: Single(Task),
  run: async (call, task) => ({ data: await move(call, task, call.body.list_id) }),
})

export async function move(call: Call, task: TaskRow, handle: string): Promise<TaskAnswer> {
  const list = await findDestination(call, task, handle)
  await requireAssignable(call, task, list)
  if (list.id === task.task_list_id) return showTask(call, sql`t.id = ${task.id}`)
  const slug = slugFor('task', call.company.id, list.id, task.title, task.id)
  return changeTask(call, task, sql`project_id = ${list.project_id}, task_list_id = ${list.id}, slug = ${slug}`)
}

export const setTaskTime = endpoint({
  name: 'set_task_time',
  tool: 'set_task_time',
  since: '1.2.0',
  operation: 'tasks:write',
  timeTracking: true,
  summary: 'Record the time spent on a task',
  description:
    'Replaces the total. `1:30`, `1.5` (hours) and `90` (minutes) mean the same; `""` or null clears it; zero is refused.',
  method: 'POST',
  at: addresses('time'),
  find: findTask,
  body: Type.Object(
    {
      time_spent: Nullable(
        Type.String({ maxLength: 50, numberAsText: true, description: 'A JSON number is accepted too' }),
      ),
    },
    { examples: [{ time_spent: '1:30' }] },
  ),
  returns: Single(Task),
  run: async (call, task) => ({
    data: await changeTask(call, task, sql`time_spent_minutes = ${readTime(call.body.time_spent)}`),
  }),
})

function readTime(text: string | null): number | null {
  if (text === null || text === '') return null
  const minutes = parseMinutes(text)
  if (minutes === undefined)
    throw unprocessable(
      'time_spent',
      say('must be more than zero and at most {most} minutes, as H:MM, decimal hours or whole minutes', {
        most: MOST_MINUTES,
      }),
    )
  return minutes
}
