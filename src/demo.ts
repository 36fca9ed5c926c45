import { addCompany } from './admin/companies.ts'
import { addUser } from './admin/users.ts'
import { addComment } from './api/comment-record.ts'
import { addDiscussion } from './api/discussions.ts'
import { addProject } from './api/projects.ts'
import { addTaskList } from './api/task-lists.ts'
import { addTask } from './api/tasks.ts'
import type { Db } from './db/db.ts'
import type { Author } from './domain/access/caller.ts'
import { addKey } from './domain/access/keyring.ts'
import { hasNoCompany } from './domain/first-company.ts'

interface DemoTask {
  title: string
  done?: boolean
  assignee?: string
  due?: string
}

const COMPANY = { name: 'Diwan Demo', time_zone: 'Asia/Riyadh', plan: 'productive', rest_api: true } as const

const PEOPLE = [
  { name: 'Layla Haddad', email: 'layla@example.com', role: 'owner', can_manage_api_keys: true },
  { name: 'يوسف المنصور', email: 'yusuf@example.com', role: 'manager', language: 'ar' },
  { name: 'Omar Aziz', email: 'omar@example.com', role: 'member' },
  { name: 'نورة العتيبي', email: 'noura@example.com', role: 'member', language: 'ar' },
] as const

interface DemoDiscussion {
  title: string
  body: string
  replies: { author: string; content: string }[]
}

const PROJECTS: {
  name: string
  description: string | null
  discussion?: DemoDiscussion
  lists: { title: string; priority: 'low' | 'medium' | 'high' | 'urgent' | null; tasks: DemoTask[] }[]
}[] = [
  {
    name: 'Website launch',
    description: 'The new site, in Arabic and English',
    discussion: {
      title: 'Which day do we go live?',
      body: 'Sunday would give us the whole week to watch it.',
      replies: [
        { author: 'omar@example.com', content: 'Sunday suits me.' },
        { author: 'noura@example.com', content: 'وأنا أيضًا، بعد مراجعة الصفحات العربية.' },
      ],
    },
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
    if (!wanted || !(await hasNoCompany(tx))) return undefined
    const companyId = await addCompany(tx, COMPANY)
    const people = new Map<string, number>()
    for (const person of PEOPLE) people.set(person.email, (await addUser(tx, companyId, person)).id)
    const owner = people.get('layla@example.com') as number
    const author = { db: tx, company: { id: companyId }, signature: { id: owner } }
    for (const project of PROJECTS) await seedProject(author, people, project)

    return addKey(tx, { company_id: companyId, name: 'Demo', created_by: owner }, serverSecret)
  })
}

async function seedProject(author: Author, people: Map<string, number>, project: (typeof PROJECTS)[number]) {
  const { project_id } = await addProject(author, project)
  for (const list of project.lists) {
    const id = await addTaskList(author, project_id, list)
    for (const { title, done = false, assignee = '', due = null } of list.tasks) {
      const columns = { title, due_at: due, assignee_id: people.get(assignee) ?? null, isCompleted: done }
      await addTask(author, { id, project_id }, columns)
    }
  }
  if (project.discussion) await seedDiscussion(author, people, project_id, project.discussion)
}

async function seedDiscussion(
  author: Author,
  people: Map<string, number>,
  projectId: number,
  { title, body, replies }: DemoDiscussion,
) {
  const { id } = await addDiscussion(author, projectId, { title, body })
  for (const reply of replies) {
    const signature = { id: people.get(reply.author) as number }
    await addComment({ ...author, signature }, ['discussion_id', id], reply.content)
  }
}
