import sql from 'sql-template-tag'
import Type from 'typebox'
import { unprocessable } from '../domain/errors.ts'
import { isAssignable } from '../domain/people/project-people.ts'
import { say } from '../domain/sentences/sentences.ts'
import { everyRecord } from '../http/answers/pagination.ts'
import { type Call, endpoint } from './gate.ts'
import { underProject } from './projects.ts'

const Member = Type.Object(
  {
    name: Type.String(),
    email: Type.String({ format: 'email', description: 'Use it as `assignee_email` and in `attendee_emails`' }),
    role: Type.String({ description: 'Display name of the role' }),
  },
  { title: 'Member', examples: [{ name: 'Layla Haddad', email: 'layla@example.com', role: 'Owner' }] },
)

/** The person with an email address, or 422 naming it. Whoever already has the task keeps it, even after leaving. */
export async function findAssignee(
  { db, company }: Call,
  projectId: number,
  email: string,
  currentId: number | null,
): Promise<number> {
  const user = await db.maybe<{ id: number }>(sql`
    select u.id from users u
    where u.company_id = ${company.id} and lower(u.email) = lower(${email})
      and (u.id = ${currentId} or (${isAssignable(company.id, projectId)}))`)
  if (!user) throw unprocessable('assignee_email', say('{email} is not a member of the project', { email }))
  return user.id
}

/** The people with these email addresses, by the address as it was sent. */
export async function findAssignees(
  { db, company }: Call,
  projectId: number,
  emails: string[],
): Promise<Map<string, number>> {
  const people = await db.many<{ email: string; id: number }>(sql`
    select sent.email, u.id from unnest(${emails}::text[]) sent (email)
    join users u on lower(u.email) = lower(sent.email) and ${isAssignable(company.id, projectId)}`)
  return new Map(people.map(({ email, id }) => [email, id]))
}

export const listMembers = endpoint({
  name: 'list_project_members',
  tool: 'list_project_members',
  since: '1.2.0',
  operation: 'projects:read',
  summary: 'List the people of a project',
  description:
    'Everyone who can be assigned: all active people of the company for a public project, the active members of a private one. Not paginated.',
  method: 'GET',
  at: ['/projects/:project/members'],
  returns: Type.Object({ data: Type.Array(Member) }),
  run: async call => ({
    data: await everyRecord<Type.Static<typeof Member>>(call.db, {
      under: underProject(call, call.params.project),
      columns: sql`u.name, u.email, initcap(u.role) as role`,
      from: sql`users u where ${isAssignable(call.company.id, sql`p.id`)}`,
      order: sql`u.name, u.id`,
    }),
  }),
})
