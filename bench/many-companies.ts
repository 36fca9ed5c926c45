import sql, { raw, type Sql } from 'sql-template-tag'
import { listTitle, projectName, taskTitle } from '../cli/src/local/generated-names.ts'
import { withoutIndexes } from '../src/db/bulk-load.ts'
import type { Db } from '../src/db/db.ts'
import { mintCredential } from '../src/domain/access/credentials.ts'
import { presetOperations, presetRights } from '../src/domain/access/operations.ts'

/** In lists of a hundred tasks. */
const LARGEST = 1_000
export const TASKS_OF_A_LIST = 100

/** Companies differ in size as cities do: the second has half of what the first has, the tenth a tenth. */
export function listsOf(rank: number): number {
  return Math.max(1, Math.floor(LARGEST / rank))
}

/** The ref of a record, by its number. */
export function ref(prefix: string, n: number): string {
  return `${prefix}-${n.toString(16).padStart(10, '0')}`
}

/** Fills an empty database with companies, numbered by their rank. Their lists and tasks are numbered in the same order. */
export async function addCompanies(tx: Db, count: number): Promise<void> {
  await tx.raw(`set local maintenance_work_mem = '256MB'`, [])
  await tx.run(sql`
    insert into companies (id, name, time_zone, plan, rest_api) overriding system value
    select n, 'Company ' || n, 'Asia/Riyadh', 'enterprise', true from generate_series(1, ${count}::bigint) n`)
  await tx.run(sql`
    insert into users (company_id, id, name, email, role, can_manage_api_keys) overriding system value
    select n, n, 'Layla Haddad', 'layla@company-' || n || '.example', 'owner', true from generate_series(1, ${count}::bigint) n`)
  await tx.raw(
    `create temporary table lists on commit drop as
     select c as company, (l - 1) / 10 as part, row_number() over (order by c, l) as n
     from generate_series(1, ${count}) c, generate_series(1, greatest(1, ${LARGEST} / c)) l`,
    [],
  )
  await tx.raw(
    `create temporary table parts on commit drop as
     select company, part, count(*) * ${TASKS_OF_A_LIST} as tasks, row_number() over (order by company, part) as n
     from lists group by company, part`,
    [],
  )
  await tx.run(sql`
    insert into projects (company_id, id, ref, slug, name, is_public, created_by, counted_tasks) overriding system value
    select company, n, ${refOf('prj')}, 'project-' || n, ${projectName}, true, company, tasks from parts`)
  await tx.run(sql`
    insert into project_members (company_id, project_id, user_id) select company_id, id, created_by from projects`)
  await tx.run(sql`
    insert into task_lists (company_id, project_id, id, ref, slug, title, created_by, counted_tasks) overriding system value
    select l.company, p.n, l.n, ${refOf('lst', 'l.n')}, 'list-' || l.n, t.title, l.company, ${TASKS_OF_A_LIST}::int
    from lists l join parts p using (company, part), lateral (select ${listTitle} as title from (select l.n) one) t`)
  await withoutIndexes(tx, ['tasks'], async () => {
    await tx.run(sql`
      insert into tasks (company_id, project_id, task_list_id, id, ref, slug, title, created_by) overriding system value
      select l.company_id, l.project_id, l.id, t.n, ${refOf('tsk', 't.n')}, 'task-' || t.n, t.title, l.created_by
      from task_lists l, lateral (
        select n, ${taskTitle} as title
        from generate_series((l.id - 1) * ${TASKS_OF_A_LIST}::int + 1, l.id * ${TASKS_OF_A_LIST}::int) n) t`)
  })
  for (const table of ['companies', 'users', 'projects', 'task_lists', 'tasks'])
    await tx.raw(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`, [])
}

function refOf(prefix: string, n = 'n'): Sql {
  return raw(`'${prefix}-' || lpad(to_hex(${n}), 10, '0')`)
}

/** A new key for each company, in their order. */
export async function addKeys(db: Db, count: number, serverSecret: string): Promise<string[]> {
  const minted = Array.from({ length: count }, () => mintCredential('svc_api_', serverSecret))
  await db.run(sql`
    insert into api_keys (company_id, name, digest, last_four, access, operations, rights, created_by)
    select n, 'Benchmark', digest, last_four, 'write', ${presetOperations('write')}, ${presetRights('write')}, n
    from unnest(${minted.map(({ digest }) => digest)}::bytea[], ${minted.map(({ last_four }) => last_four)}::text[])
      with ordinality as k (digest, last_four, n)`)
  return minted.map(({ token }) => token)
}
