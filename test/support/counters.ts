import sql from 'sql-template-tag'
import type { Db } from '../../src/db/db.ts'
import {
  countsOfList,
  repliesOfDiscussion,
  taskListsOfProject,
  tasksOfProject,
} from '../../src/domain/records/counts.ts'

/** The API shows it only as the total of a page. */
const completedOfProject = sql`(p.counted_completed_tasks + coalesce((
  select sum(c.completed_tasks) from count_changes c where c.company_id = p.company_id and c.project_id = p.id), 0))`

interface Counter {
  of: string
  shown: number[]
  counted: number[]
}

/** The counters of a company that differ from the actual numbers, all read at the same moment. */
export async function wrongCounters(db: Db, companyId: number): Promise<Counter[]> {
  const counters = await db.many<Counter>(sql`
    select p.ref as of, json_build_array(${taskListsOfProject}, ${tasksOfProject}, ${completedOfProject}) as shown,
      json_build_array(lists, tasks, completed) as counted
    from projects p cross join lateral (
      select count(*) as lists from task_lists l
      where l.company_id = p.company_id and l.project_id = p.id and l.deleted_at is null) of_lists
    cross join lateral (
      select count(*) as tasks, count(completed_at) as completed
      from tasks t join task_lists l on l.company_id = t.company_id and l.id = t.task_list_id
      where t.company_id = p.company_id and t.project_id = p.id and l.deleted_at is null) of_tasks
    where p.company_id = ${companyId}
    union all
    select l.ref, json_build_array(counts.tasks_count, counts.completed_tasks_count), (
      select json_build_array(count(*), count(completed_at)) from tasks t
      where t.company_id = l.company_id and t.project_id = l.project_id and t.task_list_id = l.id)
    from task_lists l ${countsOfList('l')} where l.company_id = ${companyId} and l.deleted_at is null
    union all
    select d.ref, json_build_array(${repliesOfDiscussion}), (
      select json_build_array(count(*)) from comments c where c.company_id = d.company_id and c.discussion_id = d.id)
    from discussions d where d.company_id = ${companyId}`)
  return counters.filter(({ shown, counted }) => shown.join() !== counted.join())
}
