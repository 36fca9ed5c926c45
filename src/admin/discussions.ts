import sql from 'sql-template-tag'
import Type from 'typebox'
import { Discussion, showDiscussion } from '../api/discussions.ts'
import { notFound } from '../domain/errors.ts'
import { isRef } from '../domain/refs.ts'
import { Name, Nullable, Single } from '../http/schema.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'

async function findDiscussion({ db, companyId, params: { ref = '' } }: AdminCall): Promise<{ id: number }> {
  const discussion =
    isRef(ref) &&
    (await db.maybe<{ id: number }>(sql`
      select id from discussions where company_id = ${companyId} and ref = ${ref} and deleted_at is null for update`))
  if (!discussion) throw notFound()
  return discussion
}

export const categoriseDiscussion = adminEndpoint({
  operation: 'discussions:write',
  who: 'leaders',
  summary: 'Set the category of a discussion',
  method: 'PATCH',
  at: ['/companies/:company/discussions/:ref'],
  find: findDiscussion,
  body: Type.Object({ category: Type.Optional(Nullable(Name())) }, { examples: [{ category: 'Announcements' }] }),
  returns: Single(Discussion),
  async run({ db, companyId, body }, { id }) {
    if (body.category !== undefined) {
      await db.run(
        sql`update discussions set category = ${body.category} where company_id = ${companyId} and id = ${id}`,
      )
    }
    return showDiscussion(db, companyId, sql`d.id = ${id}`)
  },
})
