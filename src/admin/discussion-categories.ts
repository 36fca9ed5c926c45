import sql from 'sql-template-tag'
import Type from 'typebox'
import { Discussion, showDiscussion } from '../api/discussions.ts'
import { orNotFound } from '../domain/errors.ts'
import { recordAssignments } from '../domain/records/columns.ts'
import { findAndLock } from '../domain/records/locks.ts'
import { requireRef } from '../domain/records/refs.ts'
import { Name, Nullable, Single } from '../http/answers/schema.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'

interface DiscussionRow {
  id: number
  archived: boolean
}

async function findDiscussion(call: AdminCall): Promise<DiscussionRow> {
  const { companyId, params } = call
  const ref = requireRef(params.ref)
  const query = sql`
    select d.id, p.archived from discussions d join projects p on p.company_id = d.company_id and p.id = d.project_id
    where d.company_id = ${companyId} and d.ref = ${ref} and d.deleted_at is null and p.deleted_at is null`
  return orNotFound(findAndLock<DiscussionRow>(call, 'd', query))
}

export const categoriseDiscussion = adminEndpoint({
  name: 'set_discussion_category',
  since: '1.3.0',
  operation: 'discussions:write',
  who: 'leaders',
  summary: 'Set the category of a discussion',
  method: 'PATCH',
  at: ['/companies/:company/discussions/:ref'],
  find: findDiscussion,
  body: Type.Object({ category: Type.Optional(Nullable(Name())) }, { examples: [{ category: 'Announcements' }] }),
  returns: Single(Discussion),
  async run({ db, companyId, body }, { id }) {
    const changes = recordAssignments('discussion', body)
    if (changes) await db.run(sql`update discussions set ${changes} where company_id = ${companyId} and id = ${id}`)
    return { data: await showDiscussion({ db, company: { id: companyId } }, sql`d.id = ${id}`) }
  },
})
