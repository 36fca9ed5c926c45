import sql, { empty, raw, type Sql } from 'sql-template-tag'
import Type from 'typebox'
import { forbidden, orNotFound } from '../domain/errors.ts'
import { repliesOfDiscussion } from '../domain/records/counts.ts'
import { inPieces } from '../http/answers/in-pieces.ts'
import { page } from '../http/answers/pagination.ts'
import { Changes, Collection, Paging, Single } from '../http/answers/schema.ts'
import type { EndpointFacts } from '../http/endpoints/endpoint.ts'
import { ascending } from '../http/requests/order.ts'
import { requirePathId } from '../http/requests/query.ts'
import { findFilesToAttach } from './comment-attachments.ts'
import {
  addComment,
  author,
  Comment,
  type CommentRow,
  commentColumns,
  type EditedRow,
  editComment,
  NewComment,
  type ParentColumn,
  showComment,
  toAnswer,
} from './comment-record.ts'
import { announceDiscussion } from './discussion-news.ts'
import { findDiscussion, underDiscussion } from './discussions.ts'
import { type Call, endpoint } from './gate.ts'
import { findTaskList, underTaskList } from './task-lists.ts'
import { findTask, underTask } from './task-record.ts'

interface CommentedOn<Parent> {
  what: 'task list' | 'task' | 'discussion'
  since: EndpointFacts['since']
  /** The names of the agent tools that list comments and add one. Agents do not see the comments of task lists. */
  tools?: { list: string; create: string }
  at: string[]
  /**
   * The column of a comment that refers to its parent; then, in the statement of `under`, the parent's id and number of
   * comments.
   */
  column: ParentColumn
  id: Sql
  total?: Sql
  find: (call: Call) => Promise<Parent>
  under: typeof underTask
  /** Runs after a comment has been added. */
  afterwards?: (call: Call, parent: Parent) => Promise<void>
}

/** What a comment belongs to. */
interface Commented {
  id: number
  ref: string
  project_id: number
  archived: boolean
}

const nounOf = (what: string) => what.replace(' ', '_')
const oneComment = (address: string) => `${address}/:comment`
const isOn = (column: ParentColumn, parent: Sql | number) => sql`c.${raw(column)} = ${parent}`

/** Comments belong to a task list, a task or a discussion, and work the same way in all three. */
function commentsOn<Parent extends Commented>(place: CommentedOn<Parent>) {
  return { ...readingOn(place), ...writingOn(place) }
}

function readingOn<Parent>({ what, since, tools, at, column, id, total, under }: CommentedOn<Parent>) {
  const list = endpoint({
    name: `list_${nounOf(what)}_comments`,
    ...(tools && { tool: tools.list }),
    since,
    operation: 'comments:read',
    summary: `List the comments on a ${what}`,
    description: 'Oldest first.',
    method: 'GET',
    at,
    query: Type.Object(Paging),
    returns: Collection(Comment),
    async run(call) {
      const { db, company, params, query } = call
      const ofParent = sql`c.company_id = ${company.id} and ${isOn(column, id)}`
      const { data, meta } = await page<CommentRow>(db, query, {
        under: under(call, params, total ?? sql`(select count(*) from comments c where ${ofParent})`),
        columns: commentColumns(call),
        from: sql`comments c where ${ofParent}`,
        joined: { as: sql`c`, to: author },
        order: [ascending(sql`c.id`)],
      })
      return { data: await inPieces(company.id, data, toAnswer), meta }
    },
  })

  const get = endpoint({
    name: `get_${nounOf(what)}_comment`,
    since: '1.5.0',
    operation: 'comments:read',
    summary: `Get a comment on a ${what}`,
    method: 'GET',
    at: at.map(oneComment),
    returns: Single(Comment),
    async run(call) {
      const { db, company, params } = call
      const commentId = requirePathId(params.comment)
      const parent = under(call, params, empty)
      const comment = await orNotFound(
        db.maybe<CommentRow>(sql`
          select ${commentColumns(call)} from ${parent.from}
          join comments c on c.company_id = ${company.id} and ${isOn(column, id)} and c.id = ${commentId} ${author}
          where ${parent.where}`),
      )
      return { data: toAnswer(comment) }
    },
  })
  return { list, get }
}

function writingOn<Parent extends Commented>(place: CommentedOn<Parent>) {
  const { what, since, tools, at, column, find, afterwards } = place
  const create = endpoint({
    name: `create_${nounOf(what)}_comment`,
    ...(tools && { tool: tools.create }),
    since,
    operation: 'comments:write',
    summary: what === 'discussion' ? 'Reply to a discussion' : `Comment on a ${what}`,
    ...(what === 'discussion' && {
      description: 'Those who follow the discussion are notified; whoever replies follows it from then on.',
    }),
    method: 'POST',
    at,
    find,
    body: NewComment,
    status: 201,
    returns: Single(Comment),
    async run(call, parent) {
      const { content, attachments = [] } = call.body
      const files = await findFilesToAttach(call, attachments, parent)
      const comment = await addComment(call, [column, parent.id], content, files)
      await afterwards?.(call, parent)
      return { data: toAnswer({ ...comment, author: call.signer.name }), parent_ref: parent.ref }
    },
  })

  const update = endpoint({
    name: `update_${nounOf(what)}_comment`,
    since: '1.5.0',
    operation: 'comments:write',
    summary: `Edit a comment on a ${what}`,
    description: 'For the signature that wrote it. `attachments`, when sent, replaces all of them.',
    method: 'PATCH',
    at: at.map(oneComment),
    async find(call): Promise<EditedRow> {
      const { db, company, params } = call
      const commentId = requirePathId(params.comment)
      const parent = await find({ ...call, holds: 'parent' })
      // Lock first, then read: a statement that had to wait for its lock would return a mixture of old and new.
      const ofParent = sql`c.company_id = ${company.id} and c.id = ${commentId} and ${isOn(column, parent.id)}`
      await orNotFound(db.maybe(sql`select c.id from comments c where ${ofParent} for update`))
      const comment = await showComment(call, commentId)
      return { ...comment, project_id: parent.project_id, archived: parent.archived }
    },
    policy({ signer }, { author_id }) {
      if (author_id !== signer.id) throw forbidden('Only the signature that wrote a comment may edit it.')
    },
    body: Changes(NewComment),
    returns: Single(Comment),
    async run(call, comment) {
      await editComment(call, comment, call.body)
      return { data: toAnswer(await showComment(call, comment.id)) }
    },
  })
  return { create, update }
}

const onTaskLists = commentsOn({
  what: 'task list',
  since: '1.2.0',
  at: ['/projects/:project/lists/:list/comments', '/lists/:list/comments'],
  column: 'task_list_id',
  id: sql`l.id`,
  find: findTaskList,
  under: underTaskList,
})
const onTasks = commentsOn({
  what: 'task',
  tools: { list: 'list_task_comments', create: 'comment_on_task' },
  since: '1.2.0',
  at: ['/projects/:project/lists/:list/tasks/:task/comments', '/tasks/:task/comments'],
  column: 'task_id',
  id: sql`t.id`,
  find: findTask,
  under: underTask,
})
const onDiscussions = commentsOn({
  what: 'discussion',
  tools: { list: 'list_replies', create: 'reply_to_discussion' },
  since: '1.5.0',
  at: ['/projects/:project/discussions/:discussion/comments', '/discussions/:discussion/comments'],
  column: 'discussion_id',
  id: sql`d.id`,
  total: repliesOfDiscussion,
  find: findDiscussion,
  under: underDiscussion,
  afterwards: (call, discussion) => announceDiscussion(call, 'discussion_replied', discussion),
})

export const listTaskListComments = onTaskLists.list
export const createTaskListComment = onTaskLists.create
export const getTaskListComment = onTaskLists.get
export const updateTaskListComment = onTaskLists.update
export const listTaskComments = onTasks.list
export const createTaskComment = onTasks.create
export const getTaskComment = onTasks.get
export const updateTaskComment = onTasks.update
export const listDiscussionComments = onDiscussions.list
export const createDiscussionComment = onDiscussions.create
export const getDiscussionComment = onDiscussions.get
export const updateDiscussionComment = onDiscussions.update
