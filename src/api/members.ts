import sql from 'sql-template-tag'
import Type from 'typebox'
import { endpoint } from '../http/gate.ts'
import { findProject } from './projects.ts'

const Member = Type.Object(
  {
    name: Type.String(),
    email: Type.String({ format: 'email', description: 'The handle that write endpoints take' }),
    role: Type.String({ description: 'Display name of the role' }),
  },
  { title: 'Member', examples: [{ name: 'Layla Haddad', email: 'layla@example.com', role: 'Owner' }] },
)

export const listMembers = endpoint({
  operation: 'projects:read',
  summary: 'List the people of a project',
  description:
    'Everyone who can be assigned: all active people of the company for a public project, the active members of a private one. Not paginated.',
  method: 'GET',
  at: ['/projects/:project/members'],
  find: findProject,
  returns: Type.Object({ data: Type.Array(Member) }),
  run: async ({ db, company }, project) => ({
    data: await db.many<Type.Static<typeof Member>>(sql`
      select u.name, u.email, initcap(u.role) as role
      from users u join projects p on p.company_id = u.company_id and p.id = ${project.id}
      where u.company_id = ${company.id} and u.active and (p.is_public or exists (
        select from project_members m where m.company_id = u.company_id and m.project_id = p.id and m.user_id = u.id))
      order by u.name, u.id`),
  }),
})
