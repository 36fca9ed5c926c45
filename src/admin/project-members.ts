import sql from 'sql-template-tag'
import Type from 'typebox'
import { isProject, underProject } from '../api/projects.ts'
import { everythingIn } from '../domain/access/sight.ts'
import type { AuditNote } from '../domain/audit.ts'
import { orNotFound } from '../domain/errors.ts'
import { page } from '../http/answers/pagination.ts'
import { Collection, Deleted, Id, Paging, Single } from '../http/answers/schema.ts'
import { ascending } from '../http/requests/order.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'
import { findUser, requireActivePerson } from './users.ts'
import { Role } from './vocabulary.ts'

const Membership = Type.Object(
  { id: Id({ description: 'The id of the person' }), name: Type.String(), email: Type.String(), role: Role() },
  { title: 'Membership', examples: [{ id: 2, name: 'يوسف المنصور', email: 'yusuf@example.com', role: 'member' }] },
)
const NewMembership = Type.Object({ user_id: Id() }, { examples: [{ user_id: 2 }] })

async function findProject({ db, companyId, params }: AdminCall): Promise<{ id: number }> {
  return orNotFound(
    db.maybe<{ id: number }>(sql`
    select p.id from projects p
    where p.company_id = ${companyId} and ${isProject(everythingIn(companyId), params.project)}`),
  )
}

export const listProjectMembers = adminEndpoint({
  name: 'list_project_members',
  since: '1.3.0',
  operation: 'members:read',
  who: 'leaders',
  summary: 'List the members of a project',
  description: 'Membership matters only while the project is private, but is kept when it becomes public.',
  method: 'GET',
  at: ['/companies/:company/projects/:project/members'],
  query: Type.Object(Paging),
  returns: Collection(Membership),
  async run({ db, companyId, params, query }) {
    const ofProject = sql`m.company_id = ${companyId} and m.project_id = p.id`
    return page(db, query, {
      under: underProject(
        everythingIn(companyId),
        params.project,
        sql`(select count(*) from project_members m where ${ofProject})`,
      ),
      columns: sql`u.id, u.name, u.email, u.role`,
      from: sql`project_members m join users u on u.company_id = m.company_id and u.id = m.user_id where ${ofProject}`,
      order: [ascending(sql`u.id`)],
    })
  },
})

export const addProjectMember = adminEndpoint({
  name: 'add_project_member',
  since: '1.3.0',
  operation: 'members:write',
  who: 'leaders',
  audited: true,
  summary: 'Add a member to a project',
  description: 'Adding a member again changes nothing.',
  method: 'POST',
  at: ['/companies/:company/projects/:project/members'],
  find: findProject,
  body: NewMembership,
  status: 201,
  returns: Single(Membership),
  async run(call, project) {
    const { db, companyId, audit, body } = call
    const user = await requireActivePerson(call, 'user_id', sql`u.id = ${body.user_id}`)
    const added = await db.run(sql`insert into project_members (company_id, project_id, user_id)
                                   values (${companyId}, ${project.id}, ${user.id}) on conflict do nothing`)
    if (added > 0) audit(membershipOf(user))
    return { data: user }
  },
})

/** The path tells which project it is. */
function membershipOf({ id, name }: { id: number; name: string }): AuditNote {
  return { target: { type: 'user', id, name }, changes: { project: null } }
}

async function findMembership(call: AdminCall) {
  const project = await findProject(call)
  const user = await findUser(call)
  await orNotFound(
    call.db.maybe(sql`
    select from project_members
    where company_id = ${call.companyId} and project_id = ${project.id} and user_id = ${user.id} for update`),
  )
  return { projectId: project.id, user }
}

export const removeProjectMember = adminEndpoint({
  name: 'remove_project_member',
  since: '1.3.0',
  operation: 'members:destructive',
  who: 'leaders',
  audited: true,
  summary: 'Remove a member from a project',
  method: 'DELETE',
  at: ['/companies/:company/projects/:project/members/:user'],
  find: findMembership,
  returns: Deleted({ member: Membership }),
  async run({ db, companyId, audit }, { projectId, user }) {
    audit(membershipOf(user))
    await db.run(
      sql`delete from project_members where company_id = ${companyId} and project_id = ${projectId} and user_id = ${user.id}`,
    )
    return { data: { deleted: true, member: user } }
  },
})
