-- The counts that projects, task lists and discussions show.
--
-- Whoever changes a count adds a line to `count_changes` and holds no row that others want: with the counts in the rows of the
-- parents alone, all who write into a list would wait for each other's disk. What is shown is the number in the row of the
-- parent and the lines since, read in one statement and therefore at one moment. Now and then a writer joins the lines of each
-- parent into one, so that there are never many, and the upkeep adds them to the rows.
--
-- A writer must not change these rows itself. All who write below a row lock it `for key share`, and PostgreSQL loses such a lock:
-- while it updates a row whose new version does not fit the page, or has a value that is stored elsewhere, it lets go of the page
-- for a moment, and overwrites what has locked the old version meanwhile. Then whoever deletes a list does not wait for a task that
-- is being moved out of it. A row that is locked `for update` before it is changed is safe: nobody else can lock it.
create table count_changes (
  company_id bigint not null,
  project_id bigint not null,
  -- Which of them, for what a task list or a discussion shows; else 0.
  task_list_id bigint not null default 0,
  discussion_id bigint not null default 0,
  id bigint generated always as identity,
  task_lists integer not null default 0,
  tasks integer not null default 0,
  completed_tasks integer not null default 0,
  replies integer not null default 0,
  primary key (company_id, project_id, task_list_id, discussion_id, id)
);
alter table count_changes alter column company_id set (n_distinct = 3);
-- Lines come and go all the time. The pages stay: giving them back needs a lock on the table, and a plan that was made for an empty
-- table would read through it.
alter table count_changes set (
  autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0, vacuum_truncate = off);

-- Joins the lines of each parent into one. A writer does so now and then, so that there are never many. While somebody does it,
-- others leave it to them.
create function fold_counts(company bigint, project bigint) returns void language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended(format('counts %s %s', company, project), 0)) then
    return;
  end if;
  with removed as (
    delete from count_changes c
    where c.company_id = company and c.project_id = project and (c.task_list_id, c.discussion_id) in (
      select s.task_list_id, s.discussion_id from count_changes s
      where s.company_id = company and s.project_id = project group by 1, 2 having count(*) > 1)
    returning c.*)
  insert into count_changes (company_id, project_id, task_list_id, discussion_id, task_lists, tasks, completed_tasks, replies)
  select company, project, task_list_id, discussion_id, sum(task_lists), sum(tasks), sum(completed_tasks), sum(replies)
  from removed group by task_list_id, discussion_id
  having sum(task_lists) <> 0 or sum(tasks) <> 0 or sum(completed_tasks) <> 0 or sum(replies) <> 0;
end $$;

-- Adds the lines of a project to its rows and removes them, in a transaction that does nothing else. Each row is locked `for update`
-- before it changes, so that others cannot lock it meanwhile. Once the project is locked, nobody is writing below it; where somebody
-- is, the lines stay for the next time, since whoever waits may wait for long. Each row is found by its primary key, because one
-- statement for all of them would read through every list to find the few.
create function settle_counts(company bigint, project bigint) returns void language plpgsql as $$
declare
  lines count_changes[];
  change record;
begin
  if not pg_try_advisory_xact_lock(hashtextextended(format('counts %s %s', company, project), 0)) then
    return;
  end if;
  perform from projects where company_id = company and id = project for update skip locked;
  if not found and exists (select from projects where company_id = company and id = project) then
    return;
  end if;
  with removed as (delete from count_changes c where c.company_id = company and c.project_id = project returning c)
  select array_agg(c) into lines from removed;

  for change in select task_list_id, sum(tasks) as tasks, sum(completed_tasks) as completed_tasks from unnest(lines)
                where task_list_id <> 0 group by 1 order by 1 loop
    perform from task_lists where company_id = company and id = change.task_list_id for update;
    update task_lists set counted_tasks = counted_tasks + change.tasks,
      counted_completed_tasks = counted_completed_tasks + change.completed_tasks
    where company_id = company and id = change.task_list_id;
  end loop;
  for change in select discussion_id, sum(replies) as replies from unnest(lines)
                where discussion_id <> 0 group by 1 order by 1 loop
    perform from discussions where company_id = company and id = change.discussion_id for update;
    update discussions set counted_replies = counted_replies + change.replies
    where company_id = company and id = change.discussion_id;
  end loop;
  select sum(task_lists) as task_lists, sum(tasks) as tasks, sum(completed_tasks) as completed_tasks
  into change from unnest(lines);
  if change.task_lists <> 0 or change.tasks <> 0 or change.completed_tasks <> 0 then
    update projects set counted_task_lists = counted_task_lists + change.task_lists, counted_tasks = counted_tasks + change.tasks,
      counted_completed_tasks = counted_completed_tasks + change.completed_tasks
    where company_id = company and id = project;
  end if;
end $$;

-- One in thirty-two statements folds: so there are a few dozen lines at most for each parent, and folding costs little beside the writing.
create function is_time_to_fold() returns boolean language sql as $$ select random() < 1.0 / 32 $$;

-- The triggers see whole statements, so that a cascade over a million tasks is one line.

create function count_task_lists() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into count_changes (company_id, project_id, task_lists)
    select company_id, project_id, count(*) from added group by 1, 2;
    if is_time_to_fold() then
      perform fold_counts(company_id, project_id) from (select distinct company_id, project_id from added order by 1, 2) of_lists;
    end if;
  else
    -- Lists that were marked as deleted before are no longer counted.
    insert into count_changes (company_id, project_id, task_lists)
    select company_id, project_id, -count(*) from removed where deleted_at is null group by 1, 2;
  end if;
  return null;
end $$;

create trigger task_lists_count_added after insert on task_lists
  referencing new table as added for each statement execute function count_task_lists();
create trigger task_lists_count_removed after delete on task_lists
  referencing old table as removed for each statement execute function count_task_lists();

-- The tasks of a deleted list go with it, although their rows are still there to be removed. Nobody else is writing into the
-- list: whoever deletes it has waited for them.
create function subtract_deleted_list() returns trigger language plpgsql as $$
begin
  insert into count_changes (company_id, project_id, task_lists, tasks, completed_tasks)
  select new.company_id, new.project_id, -1, -(new.counted_tasks + coalesce(sum(c.tasks), 0)),
    -(new.counted_completed_tasks + coalesce(sum(c.completed_tasks), 0))
  from count_changes c
  where c.company_id = new.company_id and c.project_id = new.project_id and c.task_list_id = new.id;
  return null;
end $$;

create trigger task_lists_subtract_deleted after update on task_lists
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function subtract_deleted_list();

create function count_tasks() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into count_changes (company_id, project_id, task_list_id, tasks, completed_tasks)
    select company_id, project_id, task_list_id, count(*), count(completed_at) from added group by 1, 2, 3;
    if is_time_to_fold() then
      perform fold_counts(company_id, project_id) from (select distinct company_id, project_id from added order by 1, 2) of_tasks;
    end if;
  elsif tg_op = 'DELETE' then
    insert into count_changes (company_id, project_id, task_list_id, tasks, completed_tasks)
    select r.company_id, r.project_id, r.task_list_id, -count(*), -count(r.completed_at)
    from removed r join task_lists l on l.company_id = r.company_id and l.id = r.task_list_id
    where l.deleted_at is null group by 1, 2, 3;
    if is_time_to_fold() then
      perform fold_counts(company_id, project_id) from (select distinct company_id, project_id from removed order by 1, 2) of_tasks;
    end if;
  else
    insert into count_changes (company_id, project_id, task_list_id, tasks, completed_tasks)
    select company_id, project_id, task_list_id, sum(n), sum(done)
    from (select company_id, project_id, task_list_id, 1 as n, (completed_at is not null)::int as done from added
          union all
          select company_id, project_id, task_list_id, -1, -(completed_at is not null)::int from removed) change
    group by 1, 2, 3 having sum(n) <> 0 or sum(done) <> 0;
    if is_time_to_fold() then
      perform fold_counts(company_id, project_id) from (select distinct company_id, project_id from added order by 1, 2) of_tasks;
    end if;
  end if;
  return null;
end $$;

create trigger tasks_count_added after insert on tasks
  referencing new table as added for each statement execute function count_tasks();
create trigger tasks_count_changed after update on tasks
  referencing new table as added old table as removed for each statement execute function count_tasks();
create trigger tasks_count_removed after delete on tasks
  referencing old table as removed for each statement execute function count_tasks();

-- How many tasks a company has in projects that are not deleted, and how many of them are completed; without those of archived
-- projects where these are hidden. It stops as soon as there are more than `up_to` of the tasks that are asked for: those that
-- are `state` (completed or not), or all of them.
create function count_tasks_of_company(
  company bigint, hides_archived boolean, state boolean, up_to bigint, out tasks bigint, out completed_tasks bigint
) language plpgsql stable as $$
declare
  -- Read one by one: a loop over a query reads the next fifty at once.
  projects cursor for
    select p.counted_tasks + since.tasks as tasks, p.counted_completed_tasks + since.completed_tasks as completed_tasks
    from projects p cross join lateral (
      select coalesce(sum(c.tasks), 0) as tasks, coalesce(sum(c.completed_tasks), 0) as completed_tasks
      from count_changes c where c.company_id = p.company_id and c.project_id = p.id) since
    where p.company_id = company and p.deleted_at is null and not (p.archived and hides_archived);
  project record;
begin
  tasks := 0;
  completed_tasks := 0;
  open projects;
  loop
    fetch projects into project;
    exit when not found;
    tasks := tasks + project.tasks;
    completed_tasks := completed_tasks + project.completed_tasks;
    exit when case when state then completed_tasks when not state then tasks - completed_tasks else tasks end > up_to;
  end loop;
  close projects;
end $$;
