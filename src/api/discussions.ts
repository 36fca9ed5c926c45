import sql, { type Sql } from 'sql-template-tag'
import Type from 'typebox'
import type { Author, Scope } from '../domain/access/caller.ts'
import { requireMayDelete } from '../domain/access/policy.ts'
import { isInSight, type Viewer } from '../domain/access/sight.ts'
import { notFound, orNotFound } from '../domain/errors.ts'
import { recordAssignments } from '../domain/records/columns.ts'
import { repliesOfDiscussion } from '../domain/records/counts.ts'
import { type Named, requireExternalIdFree } from '../domain/records/external-ids.ts'
import { findAndLock } from '../domain/records/locks.ts'
import { type Metadata, mergedMetadata } from '../domain/records/metadata.ts'
import { isNamed, newRef, slugFor, slugForRename } from '../domain/records/refs.ts'
import { inPieces } from '../http/answers/in-pieces.ts'
import { MetadataChanges, ShownMetadata } from '../http/answers/metadata.ts'
import { page } from '../http/answers/pagination.ts'
import {
  Changes,
  Collection,
  Deleted,
  ExternalId,
  Instant,
  Name,
  Nullable,
  Paging,
  ShownExternalId,
  Single,
  Text,
  True,
} from '../http/answers/schema.ts'
import { descending } from '../http/requests/order.ts'
import { plainText, toRichText } from '../lib/rich-text.ts'
import { announceDiscussion } from './discussion-news.ts'
import { type Call, endpoint } from './gate.ts'
import { findProject, isProject, underProject } from './projects.ts'
import { upsert } from './upserts.ts'

export const Discussion = Type.Object(
  {
    id: Type.String({ description: 'The `mjl-` ref; it never changes' }),
    title: Type.String(),
    body: Nullable(Type.String()),
    category: Nullable(Type.String()),
    external_id: ShownExternalId(),
    author: Nullable(Type.String()),
    replies_count: Type.Integer(),
    metadata: ShownMetadata,
    created_at: Instant(),
  },
  {
    title: 'Discussion',
    examples: [
      {
        id: 'mjl-3w8h1k6tzp',
        title: 'موعد الانتقال',
        body: 'Which weekend suits everyone?',
        category: null,
        external_id: 'crm-90',
        author: 'Layla Haddad',
        replies_count: 0,
        metadata: {},
        created_at: '2026-11-15T08:30:00.000Z',
      },
    ],
  },
)
export type DiscussionAnswer = Type.Static<typeof Discussion>

const NewDiscussion = Type.Object(
  {
    title: Name(),
    body: Type.Optional(Nullable(Text({ description: 'Plain text' }))),
    external_id: ExternalId(),
    metadata: MetadataChanges,
  },
  { examples: [{ title: 'موعد الانتقال', body: 'Which weekend suits everyone?' }] },
)

const columns = sql`d.ref as id, d.title, d.body, d.category, d.external_id, d.metadata, u.name as author, ${repliesOfDiscussion} as replies_count, d.created_at`
const discussions = sql`discussions d
  join projects p on p.company_id = d.company_id and p.id = d.project_id
  join users u on u.company_id = d.company_id and u.id = d.author_id`

/** The condition that `d` in `p` is the discussion that the URL names, that it is not deleted, and that the viewer sees `p`. */
function isDiscussion(viewer: Viewer, { project, discussion }: Call['params']): Sql {
  const place = { kind: 'discussion', as: 'd', companyId: viewer.company.id } as const
  if (project === undefined) {
    return sql`d.deleted_at is null and ${isInSight(viewer)} and ${isNamed(discussion, { ...place, parent: undefined })}`
  }
  return sql`d.deleted_at is null and ${isProject(viewer, project)} and ${isNamed(discussion, { ...place, parent: sql`p.id` })}`
}

/** The discussion that the URL names, for what is listed under it. */
export function underDiscussion(viewer: Viewer, params: Call['params'], total: Sql) {
  return {
    from: sql`discussions d join projects p on p.company_id = d.company_id and p.id = d.project_id`,
    where: sql`d.company_id = ${viewer.company.id} and ${isDiscussion(viewer, params)}`,
    total,
  }
}

interface DiscussionRow {
  id: number
  ref: string
  slug: string
  title: string
  external_id: string | null
  project_id: number
  metadata: Metadata
  author_id: number
  archived: boolean
}

export async function findDiscussion(call: Call): Promise<DiscussionRow> {
  const { company, params } = call
  const query = sql`
    select d.id, d.ref, d.slug, d.title, d.external_id, d.project_id, d.metadata, d.author_id, p.archived
    from discussions d join projects p on p.company_id = d.company_id and p.id = d.project_id
    where d.company_id = ${company.id} and ${isDiscussion(call, params)}`
  return orNotFound(findAndLock<DiscussionRow>(call, 'd', query))
}

function toAnswer(discussion: DiscussionAnswer): DiscussionAnswer {
  return { ...discussion, body: plainText(discussion.body) }
}

export async function showDiscussion({ db, company }: Scope, condition: Sql): Promise<DiscussionAnswer> {
  const discussion = await orNotFound(
    db.maybe<DiscussionAnswer>(sql`
    select ${columns} from ${discussions} where d.company_id = ${company.id} and ${condition}`),
  )
  return toAnswer(discussion)
}

export const listDiscussions = endpoint({
  name: 'list_discussions',
  tool: 'list_discussions',
  since: '1.2.0',
  operation: 'discussions:read',
  summary: 'List the discussions of a project',
  description: 'Newest first.',
  method: 'GET',
  at: ['/projects/:project/discussions'],
  query: Type.Object(Paging),
  returns: Collection(Discussion),
  async run(call) {
    const { db, company, params, query } = call
    const ofProject = sql`d.company_id = ${company.id} and d.project_id = p.id and d.deleted_at is null`
    const { data, meta } = await page<DiscussionAnswer>(db, query, {
      under: underProject(call, params.project, sql`(select count(*) from discussions d where ${ofProject})`),
      columns,
      from: sql`discussions d join users u on u.company_id = d.company_id and u.id = d.author_id where ${ofProject}`,
      order: [descending(sql`d.id`)],
    })
    return { data: await inPieces(company.id, data, toAnswer), meta }
  },
})

export const createDiscussion = endpoint({
  name: 'create_discussion',
  tool: 'create_discussion',
  since: '1.2.0',
  operation: 'discussions:write',
  summary: 'Start a discussion',
  description:
    'Published at once: the people of the project are subscribed and notified, and the timeline has an entry. Whoever opens it follows it too.',
  method: 'POST',
  at: ['/projects/:project/discussions'],
  find: findProject,
  body: NewDiscussion,
  status: 201,
  returns: Single(Discussion),
  run: async (call, project) => ({ data: await createdDiscussion(call, project, call.body) }),
})

async function createdDiscussion(
  call: Call,
  project: { id: number },
  discussion: Type.Static<typeof NewDiscussion>,
  claimed?: Named,
): Promise<DiscussionAnswer> {
  await requireExternalIdFree(call, 'discussion', discussion.external_id, claimed)
  const { id, ref } = await addDiscussion(call, project.id, discussion)
  await announceDiscussion(call, 'discussion_created', { id, ref, title: discussion.title, project_id: project.id })
  return showDiscussion(call, sql`d.id = ${id}`)
}

export function addDiscussion(
  { db, company, signer }: Author,
  projectId: number,
  { title, body = null, external_id = null, metadata }: Type.Static<typeof NewDiscussion>,
  ref = newRef('discussion'),
): Promise<{ id: number; ref: string }> {
  return db.one(sql`
    insert into discussions (company_id, project_id, ref, slug, title, body, external_id, metadata, author_id)
    values (${company.id}, ${projectId}, ${ref}, ${slugFor('discussion', company.id, projectId, title)},
            ${title}, ${body && toRichText(body)}, ${external_id}, ${mergedMetadata(metadata) ?? '{}'}, ${signer.id}) returning id, ref`)
}

const ADDRESSES = ['/projects/:project/discussions/:discussion', '/discussions/:discussion']

export const getDiscussion = endpoint({
  name: 'get_discussion',
  tool: 'get_discussion',
  since: '1.2.0',
  operation: 'discussions:read',
  summary: 'Get a discussion',
  method: 'GET',
  at: ADDRESSES,
  returns: Single(Discussion),
  run: async call => ({ data: await showDiscussion(call, isDiscussion(call, call.params)) }),
})

export const updateDiscussion = endpoint({
  name: 'update_discussion',
  tool: 'update_discussion',
  since: '1.2.0',
  operation: 'discussions:write',
  summary: 'Update a discussion',
  method: 'PATCH',
  at: ADDRESSES,
  find: findDiscussion,
  body: Changes(NewDiscussion),
  returns: Single(Discussion),
  run: async (call, discussion) => ({ data: await changedDiscussion(call, discussion, call.body) }),
})

async function changedDiscussion(
  call: Call,
  discussion: DiscussionRow,
  fields: Partial<Type.Static<typeof NewDiscussion>>,
): Promise<DiscussionAnswer> {
  const { db, company } = call
  const { id, project_id, title } = discussion
  await requireExternalIdFree(call, 'discussion', fields.external_id, discussion)
  const slug = slugForRename('discussion', company.id, project_id, { id, name: title }, fields.title)
  const changes = recordAssignments('discussion', {
    ...fields,
    body: fields.body && toRichText(fields.body),
    metadata: mergedMetadata(fields.metadata, discussion.metadata),
    slug,
  })
  if (changes) await db.run(sql`update discussions set ${changes} where company_id = ${company.id} and id = ${id}`)
  return showDiscussion(call, sql`d.id = ${id}`)
}

export const upsertDiscussion = upsert({
  kind: 'discussion',
  operation: 'discussions:write',
  at: '/projects/:project/discussions/ext::external_id',
  findParent: findProject,
  find: findDiscussion,
  body: NewDiscussion,
  shows: Discussion,
  create: createdDiscussion,
  change: changedDiscussion,
})

export const deleteDiscussion = endpoint({
  name: 'delete_discussion',
  since: '1.2.0',
  operation: 'discussions:destructive',
  summary: 'Delete a discussion',
  description: 'It disappears from every read at once. An administrator can restore it.',
  method: 'DELETE',
  at: ADDRESSES,
  find: findDiscussion,
  policy: (call, discussion) => requireMayDelete(call, 'discussion', discussion.author_id),
  returns: Deleted({
    recoverable: True,
    discussion: Type.Object({ title: Type.String(), id: Type.String(), slug: Type.String() }),
  }),
  async run({ db, company, signer, audit }, { id, ref, title, slug }) {
    const deleted = await db.run(sql`update discussions set deleted_at = now(), deleted_by = ${signer.id}
                                     where company_id = ${company.id} and id = ${id} and deleted_at is null`)
    if (deleted === 0) throw notFound()
    audit({ target: { type: 'discussion', id: ref, name: title } })
    return { data: { deleted: true, recoverable: true, discussion: { title, id: ref, slug } } }
  },
})
