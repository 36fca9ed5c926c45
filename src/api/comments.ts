import sql, { type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { ascending } from '../http/order.ts'
import { page } from '../http/pagination.ts'
import { Collection, Id, Instant, Nullable, Paging, Single, Text } from '../http/schema.ts'
import { fromRichText, toRichText } from '../lib/rich-text.ts'
import { type Call, endpoint } from './gate.ts'
import { findTaskList, underTaskList } from './task-lists.ts'
import { findTask, underTask } from './tasks.ts'

const Comment = Type.Object(
  {
    id: Id(),
    content: Nullable(Type.String({ description: 'Plain text; embedded files are not in it' })),
    author: Nullable(Type.String()),
    created_at: Instant(),
    updated_at: Instant({ description: 'Equals created_at until the comment is edited' }),
    attachments: Type.Array(Type.String(), { description: 'Names of the files embedded in the body' }),
  },
  {
    title: 'Comment',
    examples: [
      {
        id: 77,
        content: 'تم الاتفاق مع المورّد',
        author: 'Layla Haddad',
        created_at: '2026-11-15T08:30:00.000Z',
        updated_at: '2026-11-15T08:30:00.000Z',
        attachments: [],
      },
    ],
  },
)

const NewComment = Type.Object(
  { content: Text({ pattern: '\\S', description: 'Plain text' }) },
  { examples: [{ content: 'تم الاتفاق مع المورّد' }] },
)

interface CommentRow {
  id: number
  body: string
  author: string
  created_at: string
  updated_at: string
}

const columns = sql`c.id, c.body, u.name as author, c.created_at, c.updated_at`

function toAnswer({ body, ...comment }: CommentRow): Type.Static<typeof Comment> {
  const { text, attachments } = fromRichText(body)
  return { ...comment, content: text, attachments }
}

interface CommentedOn<Parent> {
  /** The column of a comment that names its parent, and the id of the parent in the statement of `under`. */
  column: Sql
  id: Sql
  find: (call: Call) => Promise<Parent>
  under: typeof underTask
}

/** Comments stand on a task list or on a task; they are the same in both places. */
function commentsOn<Parent extends { id: number }>(
  what: 'task list' | 'task',
  at: string[],
  { column, id, find, under }: CommentedOn<Parent>,
) {
  const list = endpoint({
    name: what === 'task' ? 'list_task_comments' : 'list_task_list_comments',
    since: '1.2.0',
    operation: 'comments:read',
    summary: `List the comments on a ${what}`,
    description: 'Oldest first.',
    method: 'GET',
    at,
    query: Type.Object(Paging),
    returns: Collection(Comment),
    async run({ db, company, params, query }) {
      const ofParent = sql`c.company_id = ${company.id} and c.${column} = ${id}`
      const { data, meta } = await page<CommentRow>(db, query, {
        under: under(company.id, params, sql`(select count(*) from comments c where ${ofParent})`),
        columns,
        from: sql`comments c join users u on u.company_id = c.company_id and u.id = c.author_id where ${ofParent}`,
        order: [ascending(sql`c.id`)],
      })
      return { data: data.map(toAnswer), meta }
    },
  })
  const create = endpoint({
    name: what === 'task' ? 'create_task_comment' : 'create_task_list_comment',
    since: '1.2.0',
    operation: 'comments:write',
    summary: `Comment on a ${what}`,
    method: 'POST',
    at,
    find,
    body: NewComment,
    status: 201,
    returns: Single(Comment),
    async run({ db, company, signature, body }, parent) {
      const comment = await db.one<CommentRow>(sql`
        insert into comments as c (company_id, ${column}, body, author_id)
        values (${company.id}, ${parent.id}, ${toRichText(body.content)}, ${signature.id})
        returning c.id, c.body, ${signature.name} as author, c.created_at, c.updated_at`)
      return { data: toAnswer(comment) }
    },
  })
  return { list, create }
}

const onTaskLists = commentsOn('task list', ['/projects/:project/lists/:list/comments', '/lists/:list/comments'], {
  column: sql`task_list_id`,
  id: sql`l.id`,
  find: findTaskList,
  under: underTaskList,
})
const onTasks = commentsOn('task', ['/projects/:project/lists/:list/tasks/:task/comments', '/tasks/:task/comments'], {
  column: sql`task_id`,
  id: sql`t.id`,
  find: findTask,
  under: underTask,
})

export const listTaskListComments = onTaskLists.list
export const createTaskListComment = onTaskLists.create
export const listTaskComments = onTasks.list
export const createTaskComment = onTasks.create
