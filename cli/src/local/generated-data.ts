import sql, { raw, type Sql } from 'sql-template-tag'
import { withoutIndexes } from '../../../src/db/bulk-load.ts'
import type { Db } from '../../../src/db/db.ts'
import type { RefPrefix } from '../../../src/domain/records/refs.ts'
import { listTitle, projectName, taskTitle } from './generated-names.ts'

export interface Size {
  /** Small companies beside the large one, each with a hundred tasks in one list. */
  companies: number
  /** Tasks of the large company, in thousands: a hundred in a list, ten lists in a project. */
  tasks: number
}

export interface Generated {
  companyId: number
  ownerId: number
  rows: number
}

/** The total number of records of each kind. */
function totals({ companies, tasks }: Size) {
  return {
    companies: 1 + companies,
    projects: tasks / 1_000 + companies,
    lists: tasks / 100 + companies,
    tasks: tasks + companies * 100,
  }
}

export function expectedRows(size: Size): number {
  const { companies, projects, lists, tasks } = totals(size)
  // A company has a user; a project a member, a folder, a link and a discussion.
  return 2 * companies + 5 * projects + lists + tasks
}

const TASKS_PER_STATEMENT = 20_000

/**
 * Adds one large company and many small ones, the same every time. It is one transaction: an interrupted run leaves nothing
 * behind. What would check and index each task individually is removed first, and restored at the end for all at once.
 */
export function generate(db: Db, size: Size, onProgress: (rows: number) => void): Promise<Generated> {
  return db.transaction(async tx => {
    await tx.raw('set local statement_timeout = 0', [])
    await tx.raw(`set local maintenance_work_mem = '256MB'`, [])
    const last = await lastIds(tx)
    const { companies, projects, lists, tasks } = totals(size)
    let rows = 0
    const add = async (insert: Sql) => {
      rows += await tx.run(insert)
      onProgress(rows)
    }

    await add(sql`
      insert into companies (id, name, time_zone, plan, rest_api) overriding system value
      select ${last.companies} + n, case n when 1 then 'A large company' else 'Company ' || n end, 'Asia/Riyadh', 'enterprise', true
      from generate_series(1, ${companies}::bigint) n`)
    await add(sql`
      insert into users (company_id, id, name, email, role, can_manage_api_keys) overriding system value
      select ${last.companies} + n, ${last.users} + n, 'Layla Haddad', 'layla@company-' || n || '.example', 'owner', true
      from generate_series(1, ${companies}::bigint) n`)
    await add(sql`
      insert into projects (company_id, id, ref, slug, name, is_public, created_by, created_at, counted_tasks, counted_completed_tasks)
        overriding system value
      select ${last.companies} + company, ${last.projects} + n, ${ref('prj')}, ${slug('p.name')}, p.name, true, ${last.users} + company,
        ${createdAt(1_000)}, tasks, last_task / 3 - (last_task - tasks) / 3
      from (
        select n, ${projectName} as name, 1 + small as company, case small when 0 then 1000 else 100 end as tasks,
          (n - small) * 1000 + small * 100 as last_task
        from (select n, greatest(n - ${size.tasks / 1_000}::bigint, 0) as small from generate_series(1, ${projects}::bigint) n) p) p`)
    await add(sql`
      insert into project_members (company_id, project_id, user_id)
      select company_id, id, created_by from projects where id > ${last.projects}`)
    await add(sql`
      insert into folders (company_id, id, project_id, name, created_by) overriding system value
      select company_id, ${last.folders} + id - ${last.projects}, id, name, created_by from projects where id > ${last.projects}`)
    await add(sql`
      insert into files (company_id, project_id, id, ref, name, external_url, scan_state, uploaded_by, created_at)
        overriding system value
      select company_id, id, ${last.files} + n, ${ref('fil')}, name, 'https://example.com/' || n, 'skipped', created_by, created_at
      from (select *, id - ${last.projects} as n from projects where id > ${last.projects}) p`)
    await add(sql`
      insert into discussions (company_id, project_id, id, ref, slug, title, author_id, created_at) overriding system value
      select company_id, id, ${last.discussions} + n, ${ref('mjl')}, slug, name, created_by, created_at
      from (select *, id - ${last.projects} as n from projects where id > ${last.projects}) p`)
    await add(sql`
      insert into task_lists (company_id, project_id, id, ref, slug, title, created_by, created_at, updated_at, counted_tasks, counted_completed_tasks)
        overriding system value
      select p.company_id, p.id, ${last.task_lists} + n, ${ref('lst')}, ${slug('l.name')}, l.name, p.created_by, ${createdAt(100)}, ${createdAt(100)}, 100,
        n * 100 / 3 - (n - 1) * 100 / 3
      from (
        select n, ${listTitle} as name, case
          when n <= ${size.tasks / 100}::bigint then (n - 1) / 10 + 1
          else ${size.tasks / 1_000}::bigint + n - ${size.tasks / 100}::bigint
        end as project
        from generate_series(1, ${lists}::bigint) n) l
      join projects p on p.id = ${last.projects} + l.project`)
    await withoutIndexes(tx, ['tasks'], async () => {
      for (let from = 1; from <= tasks; from += TASKS_PER_STATEMENT)
        await add(someTasks(last, from, Math.min(from + TASKS_PER_STATEMENT - 1, tasks)))
    })
    await continueIds(tx)
    return { companyId: last.companies + 1, ownerId: last.users + 1, rows }
  })
}

function someTasks(last: LastIds, from: number, to: number): Sql {
  return sql`
    insert into tasks (company_id, project_id, task_list_id, id, ref, slug, title, notes, due_at, completed_at,
      time_spent_minutes, assignee_id, created_by, created_at, updated_at) overriding system value
    select l.company_id, l.project_id, l.id, ${last.tasks} + n, ${ref('tsk')}, ${slug('t.name')}, t.name,
      case when n % 8 = 0 then '<p>' || t.name || '</p>' end, case when n % 4 = 0 then date '2027-01-01' + (n % 90)::int end,
      case when n % 3 = 0 then ${createdAt(1)} + interval '1 day' end, case when n % 7 = 0 then n % 480 end,
      case when n % 5 = 0 then l.created_by end, l.created_by, ${createdAt(1)},
      ${createdAt(1)} + case when n % 3 = 0 then interval '1 day' else interval '0' end
    from (select n, ${taskTitle} as name from generate_series(${from}::bigint, ${to}::bigint) n offset 0) t
    join task_lists l on l.id = ${last.task_lists} + (n - 1) / 100 + 1`
}

/** Ten characters that no other number has: multiplying by an odd number loses nothing of the last forty bits. */
function ref(prefix: RefPrefix): Sql {
  return raw(`'${prefix}-' || lpad(to_hex((n * 668265263) & 1099511627775), 10, '0')`)
}

/** The only mark in these names is a shadda, which slugs do not have. */
function slug(name: string): Sql {
  return raw(`translate(lower(${name}), E' \\u0651', '-')`)
}

/** One task every twenty seconds, and its containers at the corresponding interval. */
function createdAt(tasks: number): Sql {
  return raw(`timestamptz '2026-01-01 00:00:00Z' + n * ${tasks * 20} * interval '1 second'`)
}

const TABLES = ['companies', 'users', 'projects', 'folders', 'task_lists', 'discussions', 'files', 'tasks'] as const
type LastIds = Record<(typeof TABLES)[number], number>

/** The ids of deleted records are not reused. */
function lastIds(tx: Db): Promise<LastIds> {
  const columns = TABLES.map(table => {
    const given = `pg_sequence_last_value(pg_get_serial_sequence('${table}', 'id')::regclass)`
    return `(select greatest(max(id), ${given}, 0) from ${table}) as ${table}`
  })
  return tx.one<LastIds>(raw(`select ${columns.join(', ')}`))
}

/** Records created later get the ids after these. */
async function continueIds(tx: Db): Promise<void> {
  for (const table of TABLES)
    await tx.raw(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`, [])
}
