import type { Database } from '../../src/db/postgres.ts'
import type { furnishEveryRecord } from './every-record.ts'

type Furnished = Awaited<ReturnType<typeof furnishEveryRecord>>

/** Adds records beside every record of a company and below it, until there are `count` of each kind. Counts are set as they are. */
export async function addUpTo(count: number, { pool }: Database, { company, names }: Furnished): Promise<void> {
  const idOf = (table: string, ref: string | undefined) =>
    `(select id from ${table} where company_id = ${company.id} and ref = '${ref}')`
  const project = idOf('projects', names.project)
  const list = idOf('task_lists', names.list)
  const task = idOf('tasks', names.task)
  const discussion = idOf('discussions', names.discussion)
  const owner = company.owner.id
  const ref = (prefix: string) => `'${prefix}-' || lpad(to_hex((n * 668265263) & 1099511627775), 10, '0')`
  const add = (table: string, columns: string, values: string) =>
    client.query(`insert into ${table} (company_id, ${columns}) select ${company.id}, ${values}
      from generate_series((select count(*) from ${table} where company_id = ${company.id}) + 1, ${count}) n`)

  const client = await pool.connect()
  try {
    // Triggers would write an entry of the feed for each.
    await client.query('set session_replication_role = replica')
    await add(
      'projects',
      'ref, slug, name, is_public, created_by',
      `${ref('prj')}, 'project-' || n, 'Project ' || n, true, ${owner}`,
    )
    for (const [table, prefix, author] of [
      ['task_lists', 'lst', 'created_by'],
      ['discussions', 'mjl', 'author_id'],
    ] as const)
      await add(
        table,
        `project_id, ref, slug, title, ${author}`,
        `${project}, ${ref(prefix)}, 'name-' || n, 'Name ' || n, ${owner}`,
      )
    await add('folders', 'project_id, name, created_by', `${project}, 'Folder ' || n, ${owner}`)
    await add(
      'files',
      'project_id, ref, name, external_url, scan_state, uploaded_by',
      `${project}, ${ref('fil')}, 'File ' || n, 'https://example.com', 'skipped', ${owner}`,
    )
    await add(
      'events',
      'uid, name, starts_at, ends_at, all_day, organizer_id',
      `n::text, 'Event ' || n, now(), now(), false, ${owner}`,
    )
    await add(
      'comments',
      'task_list_id, task_id, discussion_id, body, author_id',
      `case when n % 3 = 0 then ${list} end, case when n % 3 = 1 then ${task} end, case when n % 3 = 2 then ${discussion} end,
       'Agreed', ${owner}`,
    )
    await add(
      'tasks',
      'project_id, task_list_id, ref, slug, title, created_by, due_at, completed_at',
      `${project}, ${list}, ${ref('tsk')}, 'task-' || n, 'Task ' || n, ${owner}, date '2027-01-01' + n::int % 90,
       case when n % 3 = 0 then now() end`,
    )
    await client.query(
      `update projects set counted_tasks = ${count}, counted_task_lists = ${count} where id = ${project}`,
    )
    await client.query(`update task_lists set counted_tasks = ${count} where id = ${list}`)
    await client.query(`update discussions set counted_replies = ${count} / 3 where id = ${discussion}`)
  } finally {
    await client.query('set session_replication_role = origin')
    client.release()
  }
}
