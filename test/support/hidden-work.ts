import type { TestApp } from './app.ts'
import { type Client, created, type TestCompany } from './diwan.ts'
import { newComment, newDiscussion, newLink, newList, newTask } from './factories.ts'

/** The names of one of everything in a project, by what they name: `task.ref`, `task.slug`, `task.ext`, `folder.id`, … */
export type Names = Record<string, string>

/** Ids of six digits in no answer by chance, and as long as those that no record has. */
const FIRST_ID = 700_000
/** No record of one kind has the number of another kind's: a hidden file would seem to be a folder in sight. */
const IDS_OF_A_KIND = 50_000
const MISSING_ID = 990_000

/** From here on, records that have no ref have numbers that can be told from any other number in an answer. */
export async function numberFromHigh({ database: { pool } }: Pick<TestApp, 'database'>): Promise<void> {
  for (const [n, table] of ['folders', 'files', 'comments', 'events'].entries())
    await pool.query(
      `select setval(pg_get_serial_sequence('${table}', 'id'), greatest((select max(id) from ${table}), $1::bigint))`,
      [FIRST_ID + n * IDS_OF_A_KIND],
    )
}

/** Fills a project with one of everything. Each has the word in its name, and whatever `author` can make is theirs. */
export async function furnishNamed(
  company: TestCompany,
  project: { id: string; slug: string; external_id: string },
  word: string,
  author: Client = company.api,
): Promise<Names> {
  const by = { api: author }
  const slug = (kind: string) => `${word.toLowerCase()}-${kind}`
  const ext = (kind: string) => ({ external_id: `${word}-${kind}` })
  const list = await newList(by, project.id, { title: `${word} list`, ...ext('list') })
  const task = await newTask(by, list.id, { title: `${word} task`, notes: word, metadata: { word }, ...ext('task') })
  const discussion = await newDiscussion(by, project.id, { title: `${word} talk`, body: word, ...ext('talk') })
  const folder = (await created(author.post(`/projects/${project.id}/folders`, { name: `${word} folder` }))).data
  const file = await newLink(by, project.id, { name: `${word} file`, folder_id: folder.id })
  const comment = async (address: string) => {
    const { id } = await newComment(by, address, { content: `${word} comment`, attachments: [file.ref] })
    return String(id)
  }
  const event = { name: `${word} event`, starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' }
  return {
    word,
    'project.ref': project.id,
    'project.slug': project.slug,
    'project.ext': project.external_id,
    'list.ref': list.id,
    'list.slug': slug('list'),
    'list.ext': list.external_id,
    'task.ref': task.id,
    'task.slug': slug('task'),
    'task.ext': task.external_id,
    'discussion.ref': discussion.id,
    'discussion.slug': slug('talk'),
    'discussion.ext': discussion.external_id,
    'folder.id': String(folder.id),
    'file.ref': file.ref,
    'file.id': String(file.id),
    'comment.list.id': await comment(`/lists/${list.id}`),
    'comment.task.id': await comment(`/tasks/${task.id}`),
    'comment.discussion.id': await comment(`/discussions/${discussion.id}`),
    // That of a key is its creator's: the owner's.
    'event.id': String((await created(company.api.post('/events', event))).data.id),
  }
}

/** Names that no record has, of the same form and length. */
export function missingFor(names: Names): Names {
  return Object.fromEntries(
    Object.entries(names).map(([key, name], n) => [key, missing(name, names.word as string, String(MISSING_ID + n))]),
  )
}

function missing(name: string, word: string, id: string): string {
  if (/^\d+$/.test(name)) return id
  if (/^[a-z]{3}-[0-9a-z]{10}$/.test(name)) return `${name.slice(0, 4)}0000000000`
  const nobody = 'Nobodyhasthisname'.slice(0, word.length)
  return name.replace(word, nobody).replace(word.toLowerCase(), nobody.toLowerCase())
}
