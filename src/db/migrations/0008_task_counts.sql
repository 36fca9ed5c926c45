-- The counts that projects and task lists show. The triggers see whole statements, so that a cascade over a million tasks is
-- one step. Each parent is updated by its primary key, because one statement for all of them would read through every list
-- to find the few. They are taken in one order, lists before projects and each by id, so that two statements that change
-- several of them do not wait for each other.

create function count_task_lists() returns trigger language plpgsql as $$
declare
  change record;
begin
  if tg_op = 'INSERT' then
    for change in select company_id, project_id, count(*) as lists from added group by 1, 2 order by 2 loop
      update projects set task_lists_count = task_lists_count + change.lists
      where company_id = change.company_id and id = change.project_id;
    end loop;
  else
    -- Lists that were marked as deleted before are no longer counted.
    for change in select company_id, project_id, count(*) as lists from removed where deleted_at is null group by 1, 2 order by 2 loop
      update projects set task_lists_count = task_lists_count - change.lists
      where company_id = change.company_id and id = change.project_id;
    end loop;
  end if;
  return null;
end $$;

create trigger task_lists_count_added after insert on task_lists
  referencing new table as added for each statement execute function count_task_lists();
create trigger task_lists_count_removed after delete on task_lists
  referencing old table as removed for each statement execute function count_task_lists();

-- The tasks of a deleted list go with it, although their rows are still there to be removed.
create function subtract_deleted_list() returns trigger language plpgsql as $$
begin
  update projects set task_lists_count = task_lists_count - 1, tasks_count = tasks_count - new.tasks_count
  where company_id = new.company_id and id = new.project_id;
  return null;
end $$;

create trigger task_lists_subtract_deleted after update on task_lists
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function subtract_deleted_list();

create type task_count_change as (company_id bigint, project_id bigint, task_list_id bigint, tasks bigint, completed bigint);

create function count_tasks() returns trigger language plpgsql as $$
declare
  changes task_count_change[];
  change record;
begin
  if tg_op = 'INSERT' then
    changes := array(select (company_id, project_id, task_list_id, count(*), count(completed_at))::task_count_change
                     from added group by company_id, project_id, task_list_id);
  elsif tg_op = 'DELETE' then
    changes := array(select (r.company_id, r.project_id, r.task_list_id, -count(*), -count(r.completed_at))::task_count_change
                     from removed r join task_lists l on l.company_id = r.company_id and l.id = r.task_list_id
                     where l.deleted_at is null group by r.company_id, r.project_id, r.task_list_id);
  else
    changes := array(select (company_id, project_id, task_list_id, sum(n), sum(done))::task_count_change
                     from (select company_id, project_id, task_list_id, 1 as n, (completed_at is not null)::int as done from added
                           union all
                           select company_id, project_id, task_list_id, -1, -(completed_at is not null)::int from removed) change
                     group by company_id, project_id, task_list_id having sum(n) <> 0 or sum(done) <> 0);
  end if;

  for change in select * from unnest(changes) order by task_list_id loop
    update task_lists set tasks_count = tasks_count + change.tasks,
      completed_tasks_count = completed_tasks_count + change.completed
    where company_id = change.company_id and id = change.task_list_id;
  end loop;
  for change in select company_id, project_id, sum(tasks) as tasks from unnest(changes)
                group by 1, 2 having sum(tasks) <> 0 order by project_id loop
    update projects set tasks_count = tasks_count + change.tasks
    where company_id = change.company_id and id = change.project_id;
  end loop;
  return null;
end $$;

create trigger tasks_count_added after insert on tasks
  referencing new table as added for each statement execute function count_tasks();
create trigger tasks_count_changed after update on tasks
  referencing new table as added old table as removed for each statement execute function count_tasks();
create trigger tasks_count_removed after delete on tasks
  referencing old table as removed for each statement execute function count_tasks();
