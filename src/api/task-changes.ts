import Type from 'typebox'
import { moreFollows } from '../db/db.ts'
import { ApiError, projectIsArchived } from '../domain/errors.ts'
import { isRef } from '../domain/records/refs.ts'
import { about, ofField, ofFields, say, type Words } from '../domain/sentences/sentences.ts'
import { Changes, Name, OneOf } from '../http/answers/schema.ts'
import { type Problem, refusalOf } from '../http/requests/body.ts'
import { type Call, endpoint } from './gate.ts'
import { complete, Destination, move, reopen } from './task-actions.ts'
import { findTask, lockTasks, NewTask, showTasks, Task, type TaskRow } from './task-record.ts'
import { changedTask } from './tasks.ts'

const ACTIONS = ['update', 'complete', 'incomplete', 'move'] as const
type Action = (typeof ACTIONS)[number]

const Fields = Changes(NewTask).properties

const Change = Type.Object({
  // An external id is a little longer with its prefix.
  task: Name({ maxLength: 300, description: 'The ref of any task of the company' }),
  do: OneOf(ACTIONS),
  list_id: Type.Optional(Destination),
  ...Fields,
})
type SentChange = Type.Static<typeof Change>

/** The fields that go with each. */
const FIELDS: Record<Action, string[]> = {
  update: Object.keys(Fields),
  complete: [],
  incomplete: [],
  move: ['list_id'],
}

/** What each does to a task: the same as the endpoint for one. */
const APPLY: Record<Action, (call: Call, task: TaskRow, change: SentChange) => Promise<unknown>> = {
  update: (call, row, { task, do: action, list_id, ...fields }) => changedTask(call, row, fields),
  complete,
  incomplete: reopen,
  move: (call, row, { list_id = '' }) => move(call, row, list_id),
}

export const changeTasks = endpoint({
  name: 'change_tasks',
  tool: 'change_tasks',
  since: '1.7.0',
  operation: 'tasks:write',
  summary: 'Change several tasks',
  description:
    'Makes all of the changes, in the order given, or none of them. Each change counts as one call. `update` takes the fields of a task, `move` takes `list_id`; other fields are refused.',
  method: 'POST',
  at: ['/company/tasks/batch'],
  body: Type.Object(
    { changes: Type.Array(Change, { minItems: 1, maxItems: 100 }) },
    {
      examples: [
        {
          changes: [
            { task: 'tsk-0q8v5n2jyt', do: 'update', due_at: '2027-02-01' },
            { task: 'tsk-0q8v5n2jyt', do: 'complete' },
          ],
        },
      ],
    },
  ),
  spendsPer: 'changes',
  returns: Type.Object({
    data: Type.Array(Task, { description: 'The task of each change, as it is after all of them' }),
    meta: Type.Object({ count: Type.Integer({ description: 'How many changes were made' }) }),
  }),
  async run(call) {
    const { changes } = call.body
    requireOwnFields(changes)
    const within = { ...call, db: moreFollows(call.db) }
    await lockTasks(within, await refsIn(within, changes))
    const ids: number[] = []
    for (const [n, change] of changes.entries()) ids.push(await atPlace(n, () => apply(within, change)))
    const data = await showTasks(call, ids)
    return { data, meta: { count: data.length } }
  },
})

/** A field that only another action takes is refused like an unknown one. */
function requireOwnFields(changes: SentChange[]): void {
  const [first, ...others] = changes.flatMap(({ task, do: action, ...fields }, n): Problem[] => {
    const foreign = Object.keys(fields).filter(name => !FIELDS[action].includes(name))
    const isBlank = action === 'move' && fields.list_id === undefined
    return [
      ...(isBlank ? [[`changes[${n}].list_id`, "can't be blank"] as Problem] : []),
      ...foreign.map((name): Problem => [`changes[${n}].${name}`, say('is not a field of {action}', { action })]),
    ]
  })
  if (first) throw refusalOf([first, ...others])
}

/** The refs of the tasks that are there now. What is missing is reported in its turn: an earlier change may give it its name. */
async function refsIn(call: Call, changes: SentChange[]): Promise<string[]> {
  const refs: string[] = []
  for (const handle of new Set(changes.map(({ task }) => task)))
    refs.push(...(isRef(handle) ? [handle] : await refsOf(call, handle)))
  return refs
}

async function refsOf(call: Call, task: string): Promise<string[]> {
  try {
    return [(await findTask({ ...call, holds: 'nothing', params: { task } })).ref]
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return []
    throw error
  }
}

async function apply(call: Call, change: SentChange): Promise<number> {
  const task = await findTask({ ...call, params: { task: change.task } })
  if (task.archived) throw projectIsArchived()
  await APPLY[change.do](call, task, change)
  return task.id
}

/** Says in a refusal which change it is about. */
async function atPlace<T>(n: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(error.code, wordsAt(`changes[${n}]`, error), error.detail)
  }
}

function wordsAt(place: string, { status, words }: ApiError): Words {
  if (status === 404) return ofFields([[`${place}.task`, 'was not found']])
  return status === 403 ? about(place, words) : ofField(place, words)
}
