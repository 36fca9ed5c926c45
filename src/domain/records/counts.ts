import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db } from '../../db/db.ts'
import { secondsOfRest } from '../upkeep/closed-companies.ts'

// The counts that a parent shows: the number in its row, plus the changes that were not yet added to it. Both are read in one
// statement, so that the sum is exact at every moment. See migration 0008.

/** How many task lists and tasks the project `p` has. */
export const taskListsOfProject = count('p.counted_task_lists', 'task_lists', 'c.project_id = p.id', 'p')
export const tasksOfProject = count('p.counted_tasks', 'tasks', 'c.project_id = p.id', 'p')

const completedTasksOfProject = count('p.counted_completed_tasks', 'completed_tasks', 'c.project_id = p.id', 'p')

/** How many tasks a task list has. */
export const tasksOfList = count(
  'l.counted_tasks',
  'tasks',
  'c.project_id = l.project_id and c.task_list_id = l.id',
  'l',
)

/**
 * What follows FROM, for the columns `tasks` and `completed_tasks`: how many there are in the company, or in the projects `p`.
 * Those of a company are counted until there are more than `upTo` of the tasks that are asked for: completed, open or all.
 */
export function countedTasks(
  { companyId, projects, hidesArchived }: { companyId: number; projects?: Sql; hidesArchived: boolean },
  completed: boolean | undefined,
  upTo: number,
): Sql {
  if (!projects)
    return sql`count_tasks_of_company(${companyId}, ${hidesArchived}, ${completed ?? null}, ${upTo}) counted`
  return sql`(select coalesce(sum(${tasksOfProject}), 0)::bigint as tasks,
      coalesce(sum(${completedTasksOfProject}), 0)::bigint as completed_tasks
    from ${projects}) counted`
}

/** How many replies the discussion `d` has. */
export const repliesOfDiscussion = count(
  'd.counted_replies',
  'replies',
  'c.project_id = d.project_id and c.task_list_id = 0 and c.discussion_id = d.id',
  'd',
)

function count(counted: string, changed: string, ofWhich: string, parent: string): Sql {
  return raw(`(${counted} + coalesce((
    select sum(c.${changed}) from count_changes c where c.company_id = ${parent}.company_id and ${ofWhich}), 0))`)
}

/** Both counts of a task list, as `tasks_count` and `completed_tasks_count` of the join `counts`. */
export function countsOfList(list: 'l' | 'n'): Sql {
  return raw(`cross join lateral (
    select ${list}.counted_tasks + coalesce(sum(c.tasks), 0) as tasks_count,
      ${list}.counted_completed_tasks + coalesce(sum(c.completed_tasks), 0) as completed_tasks_count
    from count_changes c
    where c.company_id = ${list}.company_id and c.project_id = ${list}.project_id and c.task_list_id = ${list}.id) counts`)
}

/** Adds the changes to the rows of the parents, project by project. */
export async function* foldCounts(db: Db): AsyncGenerator<number> {
  for (let after = { company_id: 0, project_id: 0 }; ; ) {
    const next = await db.maybe<typeof after>(sql`
      select company_id, project_id from count_changes
      where (company_id, project_id) > (${after.company_id}, ${after.project_id})
      order by company_id, project_id limit 1`)
    if (!next) return
    const { company_id, project_id } = next
    if ((await secondsOfRest(db, company_id)) === undefined)
      await db.onBehalfOf(company_id).run(sql`select settle_counts(${company_id}, ${project_id})`)
    yield 0
    after = next
  }
}
