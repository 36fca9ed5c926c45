import sql, { raw } from 'sql-template-tag'
import Type from 'typebox'
import type { ParentColumn } from '../api/comment-record.ts'
import { findDiscussion } from '../api/discussions.ts'
import { findFile } from '../api/files.ts'
import type { Call } from '../api/gate.ts'
import { findTaskList } from '../api/task-lists.ts'
import { findTask } from '../api/task-record.ts'
import { mayDelete } from '../domain/access/policy.ts'
import { notFound, unprocessable } from '../domain/errors.ts'
import { kindOfRef, requireRef } from '../domain/records/refs.ts'
import { Id } from '../http/answers/schema.ts'
import { readId } from '../http/requests/query.ts'
import type { Signed } from './admission.ts'
import { workEndpoint } from './work-gate.ts'

const Rights = Type.Object(
  {
    delete: Type.Boolean({ description: 'Whether you may delete it' }),
    comments: Type.Optional(
      Type.Array(Id(), { description: 'Of the comments that you asked about: those that you may edit' }),
    ),
  },
  { title: 'Rights', examples: [{ delete: true, comments: [77] }] },
)

/** A record, and what its deletion and its comments depend on. */
interface Asked {
  id: number
  archived: boolean
  mayDelete: boolean
  /** The column of a comment that refers to it. */
  comments?: ParentColumn
}

/** Found as the endpoints find it that delete it, so that what is hidden is missing here too; judged by their own rule. */
const FIND: Record<'task' | 'task_list' | 'discussion' | 'file', (call: Call, ref: string) => Promise<Asked>> = {
  async task(call, task) {
    const { id, archived, created_by } = await findTask({ ...call, params: { task } })
    return { id, archived, mayDelete: mayDelete(call, 'task', created_by), comments: 'task_id' }
  },
  async task_list(call, list) {
    const { id, archived } = await findTaskList({ ...call, params: { list } })
    return { id, archived, mayDelete: call.sight === 'company', comments: 'task_list_id' }
  },
  async discussion(call, discussion) {
    const { id, archived, author_id } = await findDiscussion({ ...call, params: { discussion } })
    return { id, archived, mayDelete: mayDelete(call, 'discussion', author_id), comments: 'discussion_id' }
  },
  async file(call, file) {
    const { id, archived, uploaded_by } = await findFile({ ...call, params: { file } })
    return { id, archived, mayDelete: mayDelete(call, 'file', uploaded_by) }
  },
}

export const getMyRights = workEndpoint({
  name: 'get_my_rights',
  since: '1.7.0',
  operation: 'tasks:read',
  who: 'people',
  summary: 'Find out what you may do with a record',
  description:
    'Whether you may delete a task, a task list, a discussion or a file, and which of its comments you may edit: nobody is offered what would be refused. Nothing can be done in an archived project or with a read-only subscription.',
  method: 'GET',
  at: ['/me/rights'],
  query: Type.Object({
    of: Type.Optional(Type.String({ description: 'The ref of a task, a task list, a discussion or a file; required' })),
    comment: Type.Array(Type.String(), {
      maxItems: 100,
      description: 'Ids of comments on it: which of them may you edit?',
    }),
  }),
  refusesQuery: true,
  returns: Type.Object({ data: Rights }),
  async run(call) {
    const { of, comment: comments } = call.query
    if (of === undefined) throw unprocessable('of', "can't be blank")
    const ref = requireRef(of)
    const kind = kindOfRef(ref)
    if (!kind || !(kind in FIND)) throw notFound()
    const asked = await FIND[kind as keyof typeof FIND](call, ref)
    const isFrozen = asked.archived || call.isReadOnly
    return {
      data: {
        delete: asked.mayDelete && !isFrozen,
        ...(comments.length > 0 && { comments: isFrozen ? [] : await ownAmong(call, comments, asked) }),
      },
    }
  },
})

/** Whoever wrote a comment may edit it, and nobody else. */
async function ownAmong(
  { db, company, signer }: Call & Signed,
  sent: string[],
  { id, comments: parent }: Asked,
): Promise<number[]> {
  const ids = sent.map(readId).filter(one => one !== undefined)
  if (!parent || ids.length === 0) return []
  const own = await db.many<{ id: number }>(sql`
    select c.id from comments c
    where c.company_id = ${company.id} and c.id = any(${ids}::bigint[]) and c.${raw(parent)} = ${id} and c.author_id = ${signer.id}
    order by c.id`)
  return own.map(({ id }) => id)
}
