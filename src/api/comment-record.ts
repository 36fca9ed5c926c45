import sql, { raw } from 'sql-template-tag'
import Type from 'typebox'
import type { Author } from '../domain/access/caller.ts'
import type { Viewer } from '../domain/access/sight.ts'
import { Id, Instant, Nullable, Text } from '../http/answers/schema.ts'
import { fromRichText, toRichText } from '../lib/rich-text.ts'
import {
  type Attached,
  AttachedRefs,
  attachedFiles,
  attachFiles,
  type FileToAttach,
  findFilesToAttach,
  replaceFiles,
} from './comment-attachments.ts'
import type { Call } from './gate.ts'

export const Comment = Type.Object(
  {
    id: Id(),
    content: Nullable(Type.String({ description: 'Plain text; embedded files are not in it' })),
    author: Nullable(Type.String()),
    created_at: Instant(),
    updated_at: Instant({ description: 'Equals created_at until the comment is edited' }),
    attachments: Type.Array(Type.String(), {
      description: 'Names of the files embedded in the body, then of those attached',
    }),
    attachment_refs: Type.Array(Nullable(Type.String()), {
      description: 'The `fil-` refs of `attachments`, in the same order; null for embedded files and deleted ones',
    }),
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
        attachments: ['عرض السعر.pdf'],
        attachment_refs: ['fil-9d4w7c1hza'],
      },
    ],
  },
)

export const NewComment = Type.Object(
  {
    content: Text({ pattern: '\\S', visible: true, description: 'Plain text' }),
    attachments: Type.Optional(AttachedRefs),
  },
  { examples: [{ content: 'تم الاتفاق مع المورّد', attachments: ['fil-9d4w7c1hza'] }] },
)

export interface CommentRow {
  id: number
  body: string
  author: string
  created_at: string
  updated_at: string
  attached: Attached[]
}

export const commentColumns = (viewer: Viewer) =>
  sql`c.id, c.body, u.name as author, c.created_at, c.updated_at, ${attachedFiles(viewer)}`
export const author = sql`join users u on u.company_id = c.company_id and u.id = c.author_id`

export function toAnswer({ body, attached, ...comment }: CommentRow): Type.Static<typeof Comment> {
  const { text, attachments: embedded } = fromRichText(body)
  return {
    ...comment,
    content: text,
    attachments: [...embedded, ...attached.map(({ name }) => name)],
    attachment_refs: [...embedded.map(() => null), ...attached.map(({ ref }) => ref)],
  }
}

export type ParentColumn = 'task_list_id' | 'task_id' | 'discussion_id'

export async function addComment(
  { db, company, signer }: Author,
  [column, parentId]: [ParentColumn, number],
  content: string,
  files: FileToAttach[] = [],
): Promise<Omit<CommentRow, 'author'>> {
  const comment = await db.one<Omit<CommentRow, 'author' | 'attached'>>(sql`
    insert into comments (company_id, ${raw(column)}, body, author_id)
    values (${company.id}, ${parentId}, ${toRichText(content)}, ${signer.id})
    returning id, body, created_at, updated_at`)
  await attachFiles({ db, company }, comment.id, files)
  return { ...comment, attached: files }
}

export function showComment(call: Call, id: number): Promise<CommentRow & { author_id: number }> {
  const { db, company } = call
  return db.one(sql`
    select ${commentColumns(call)}, c.author_id from comments c ${author} where c.company_id = ${company.id} and c.id = ${id}`)
}

export interface EditedRow extends CommentRow {
  author_id: number
  project_id: number
  archived: boolean
}

/** Writes what a PATCH has changed. Fields that it does not name stay as they are stored, markup and embedded files included. */
export async function editComment(
  call: Call,
  comment: EditedRow,
  body: Partial<Type.Static<typeof NewComment>>,
): Promise<void> {
  const { db, company } = call
  const { id, project_id } = comment
  const files = body.attachments && (await findFilesToAttach(call, body.attachments, { project_id, comment_id: id }))
  const { text, attachments: embedded } = fromRichText(comment.body)
  const kept = files ? [] : embedded
  const content = body.content ?? text
  if (content !== text || kept.length < embedded.length)
    await db.run(
      sql`update comments set body = ${toRichText(content, kept)} where company_id = ${company.id} and id = ${id}`,
    )
  if (files) await replaceFiles(call, comment, files)
}
