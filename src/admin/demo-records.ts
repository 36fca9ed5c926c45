import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { addComment } from '../api/comment-record.ts'
import { addDiscussion } from '../api/discussions.ts'
import { readTimes } from '../api/event-times.ts'
import { addEvent } from '../api/events.ts'
import { addFolder } from '../api/folders.ts'
import { addProject } from '../api/projects.ts'
import { addTaskList } from '../api/task-lists.ts'
import { addTask } from '../api/task-writes.ts'
import { addFile } from '../api/uploads.ts'
import type { Db } from '../db/db.ts'
import type { Author } from '../domain/access/caller.ts'
import { addFollowers, firstFollowers, follow } from '../domain/people/discussion-followers.ts'
import type { Blobs } from '../domain/ports/blob-store.ts'
import type { Enqueue } from '../domain/ports/job-queue.ts'
import { RECORDS } from '../domain/records/records.ts'
import { addUser } from './users.ts'

interface DemoTask {
  title: string
  done?: boolean
  assignee?: string
  due?: string
  ref?: string
  comment?: string
}

const OWNER = 'layla@example.com'
const COLLEAGUES = [
  { name: 'يوسف المنصور', email: 'yusuf@example.com', role: 'manager', language: 'ar' },
  { name: 'Omar Aziz', email: 'omar@example.com', role: 'member' },
  { name: 'نورة العتيبي', email: 'noura@example.com', role: 'member', language: 'ar' },
] as const

interface DemoList {
  title: string
  priority: 'low' | 'medium' | 'high' | 'urgent' | null
  ref?: string
  comment?: string
  tasks: DemoTask[]
}

interface DemoDiscussion {
  title: string
  ref: string
  body: string
  replies: { author: string; content: string }[]
}

const PROJECTS: {
  name: string
  description: string | null
  ref?: string
  discussion?: DemoDiscussion
  folder?: string
  file?: { name: string; content: string }
  lists: DemoList[]
}[] = [
  {
    name: 'Website launch',
    ref: RECORDS.project.example.ref,
    description: 'The new site, in Arabic and English',
    discussion: {
      title: 'Which day do we go live?',
      ref: RECORDS.discussion.example.ref,
      body: 'Sunday would give us the whole week to watch it.',
      replies: [
        { author: 'omar@example.com', content: 'Sunday suits me.' },
        { author: 'noura@example.com', content: 'وأنا أيضًا، بعد مراجعة الصفحات العربية.' },
        { author: 'layla@example.com', content: 'Then Sunday it is.' },
      ],
    },
    folder: 'العقود',
    file: { name: 'ملاحظات الإطلاق.md', content: '# ملاحظات الإطلاق\n\nThe Arabic pages come first.\n' },
    lists: [
      {
        title: 'Design',
        priority: 'high',
        ref: RECORDS.task_list.example.ref,
        comment: 'لنبدأ بالصفحة الرئيسية.',
        tasks: [
          { title: 'Home page draft', done: true, assignee: 'omar@example.com' },
          {
            title: 'Right-to-left review',
            assignee: 'noura@example.com',
            due: '2027-01-15',
            ref: RECORDS.task.example.ref,
            comment: 'Please look at the forms, too.',
          },
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

const EVENT = { name: 'زيارة الموقع', description: null, meeting_url: null }
const EVENT_TIMES = { starts_at: '2027-01-12T10:00', ends_at: '2027-01-12T11:30' }

/** What is needed to store and scan a file. */
export interface FileParts {
  blobs: Pick<Blobs, 'put'>
  enqueue: Enqueue
}

/** A new company, and its owner, who takes the part of the one in the records. */
interface NewCompany {
  id: number
  time_zone: string
  owner: { id: number; email: string }
}

/**
 * Fills a new company with people and records to play with. Some records have the refs of the samples on the reference page, and
 * in an empty database the first numbers of their kind, because the samples name some by number: hence this order.
 */
export async function addDemoRecords(db: Db, { id, time_zone, owner }: NewCompany, parts: FileParts): Promise<void> {
  const people = new Map([
    [OWNER, owner.id],
    [owner.email.toLowerCase(), owner.id],
  ])
  for (const person of COLLEAGUES)
    if (!people.has(person.email)) people.set(person.email, (await addUser(db, id, person)).id)
  const author = { db, company: { id }, signer: { id: owner.id } }
  for (const project of PROJECTS) await seedProject(author, people, project, parts)
  await addEvent(author, { ...EVENT, ...readTimes(time_zone, EVENT_TIMES) })
}

async function seedProject(
  author: Author,
  people: Map<string, number>,
  project: (typeof PROJECTS)[number],
  parts: FileParts,
) {
  const { project_id } = await addProject(author, project, project.ref)
  for (const list of project.lists) {
    const id = await addTaskList(author, project_id, list, list.ref)
    if (list.comment) await addComment(author, ['task_list_id', id], list.comment)
    for (const { title, done = false, assignee = '', due = null, ref, comment } of list.tasks) {
      const columns = { title, due_at: due, assignee_id: people.get(assignee) ?? null, isCompleted: done, ref }
      const task = await addTask(author, { id, project_id }, columns)
      if (comment) await commentOnTask(author, task.id, comment)
    }
  }
  if (project.discussion) await seedDiscussion(author, people, project_id, project.discussion)
  if (project.folder) await addFolder(author, project_id, { name: project.folder })
  if (project.file) await seedFile(author, project_id, project.file, parts)
}

async function seedDiscussion(
  author: Author,
  people: Map<string, number>,
  projectId: number,
  { title, ref, body, replies }: DemoDiscussion,
) {
  const { id } = await addDiscussion(author, projectId, { title, body }, ref)
  await follow(author, id)
  await addFollowers(author, id, firstFollowers(author.company.id, projectId, author.signer.id))
  for (const reply of replies) {
    const signer = { id: people.get(reply.author) as number }
    await addComment({ ...author, signer }, ['discussion_id', id], reply.content)
  }
}

async function commentOnTask(author: Author, ref: string, content: string) {
  const { db, company } = author
  const { id } = await db.one<{ id: number }>(
    sql`select id from tasks where company_id = ${company.id} and ref = ${ref}`,
  )
  await addComment(author, ['task_id', id], content)
}

/** Like an upload: its bytes, then its row, then the scan. */
async function seedFile(
  author: Author,
  projectId: number,
  { name, content }: { name: string; content: string },
  { blobs, enqueue }: FileParts,
) {
  const { db, company } = author
  const bytes = Buffer.from(content)
  const digest = createHash('sha256').update(bytes).digest('hex')
  await blobs.put(company.id, digest, bytes)
  const stored = { content_type: 'text/markdown', size_bytes: bytes.length, digest, scan_state: 'pending' } as const
  const file_id = await addFile(author, projectId, { name, ...stored }, RECORDS.file.example.ref)
  await enqueue(db, 'scan-file', [{ company_id: company.id, file_id }])
}
