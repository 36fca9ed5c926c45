import sql from 'sql-template-tag'
import type { Db } from './db/db.ts'
import { addKey } from './domain/access/keyring.ts'
import { newRef, slugFor } from './domain/refs.ts'

interface DemoTask {
  title: string
  done?: boolean
  assignee?: string
  due?: string
}

const PEOPLE = [
  { name: 'Layla Haddad', email: 'layla@example.com', role: 'owner' },
  { name: 'يوسف المنصور', email: 'yusuf@example.com', role: 'manager', language: 'ar' },
  { name: 'Omar Aziz', email: 'omar@example.com', role: 'member' },
  { name: 'نورة العتيبي', email: 'noura@example.com', role: 'member', language: 'ar' },
]

const PROJECTS: {
  name: string
  description: string | null
  lists: { title: string; priority: string | null; tasks: DemoTask[] }[]
}[] = [
  {
    name: 'Website launch',
    description: 'The new site, in Arabic and English',
    lists: [
      {
        title: 'Design',
        priority: 'high',
        tasks: [
          { title: 'Home page draft', done: true, assignee: 'omar@example.com' },
          { title: 'Right-to-left review', assignee: 'noura@example.com', due: '2027-01-15' },
        ],
      },
      {
        title: 'Content',
        priority: null,
        tasks: [{ title: 'Translate the pricing page' }, { title: 'Photos of the team', done: true }],
      },
    ],
  },
  {
    name: 'افتتاح فرع الرياض',
    description: 'كل ما يلزم حتى يوم الافتتاح',
    lists: [
      {
        title: 'التجهيزات',
        priority: 'urgent',
        tasks: [
          { title: 'توقيع عقد الإيجار', done: true, assignee: 'yusuf@example.com' },
          { title: 'شراء الأثاث المكتبي', assignee: 'noura@example.com', due: '2027-02-01' },
          { title: 'تركيب شبكة الإنترنت' },
        ],
      },
      { title: 'التوظيف', priority: 'medium', tasks: [{ title: 'مقابلات موظفي الاستقبال', due: '2027-01-20' }] },
    ],
  },
  {
    name: 'Annual report 2026',
    description: null,
    lists: [{ title: 'Figures', priority: null, tasks: [{ title: 'Close the books' }] }],
  },
]

/** Fills an empty database with a company to play with. Gives its key back; it is stored nowhere. */
export function seedDemo(db: Db, wanted: boolean, serverSecret: string): Promise<string | undefined> {
  return db.transaction(async tx => {
    // Of several nodes that start at once, one finds it empty.
    await tx.run(sql`select pg_advisory_xact_lock(7461121)`)
    if (!wanted || (await tx.maybe(sql`select 1 from companies limit 1`))) return undefined
    const company = await tx.one<{ id: number }>(sql`
      insert into companies (name, time_zone, plan, rest_api) values ('Diwan Demo', 'Asia/Riyadh', 'productive', true) returning id`)
    const people = new Map<string, number>()
    for (const { name, email, role, language = 'en' } of PEOPLE) {
      const person = await tx.one<{ id: number }>(sql`
        insert into users (company_id, name, email, role, can_manage_api_keys, language)
        values (${company.id}, ${name}, ${email}, ${role}, ${role === 'owner'}, ${language}) returning id`)
      people.set(email, person.id)
    }
    const owner = people.get('layla@example.com') as number
    for (const project of PROJECTS) await seedProject(tx, company.id, people, owner, project)

    return addKey(tx, { company_id: company.id, name: 'Demo', created_by: owner }, serverSecret)
  })
}

async function seedProject(
  tx: Db,
  companyId: number,
  people: Map<string, number>,
  owner: number,
  project: (typeof PROJECTS)[number],
) {
  const { id: projectId } = await tx.one<{ id: number }>(sql`
    insert into projects (company_id, ref, slug, name, description, is_public, created_by)
    values (${companyId}, ${newRef('project')}, ${slugFor('project', companyId, 0, project.name)}, ${project.name},
            ${project.description}, true, ${owner}) returning id`)
  await tx.run(
    sql`insert into project_members (company_id, project_id, user_id) values (${companyId}, ${projectId}, ${owner})`,
  )
  for (const list of project.lists) {
    const { id: listId } = await tx.one<{ id: number }>(sql`
      insert into task_lists (company_id, project_id, ref, slug, title, priority, created_by)
      values (${companyId}, ${projectId}, ${newRef('task_list')}, ${slugFor('task_list', companyId, projectId, list.title)},
              ${list.title}, ${list.priority}, ${owner}) returning id`)
    for (const { title, done = false, assignee = '', due = null } of list.tasks) {
      await tx.run(sql`
        insert into tasks (company_id, project_id, task_list_id, ref, slug, title, due_at, completed_at, assignee_id, created_by)
        values (${companyId}, ${projectId}, ${listId}, ${newRef('task')}, ${slugFor('task', companyId, listId, title)}, ${title},
                ${due}, ${done ? sql`now()` : null}, ${people.get(assignee) ?? null}, ${owner})`)
    }
  }
}
