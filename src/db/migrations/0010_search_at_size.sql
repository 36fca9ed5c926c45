-- Search at size. A name is kept as it is searched for, with a space before its first word too, so that ' word' is
-- the beginning of a word wherever it stands. In byte order, because its beginning is looked up as a range. A name grows
-- when its ligatures are spelled out; 500 characters of it are searched, which an index entry can hold.
do $$
declare
  named record;
begin
  for named in select * from (values
    ('projects', 'name'), ('task_lists', 'title'), ('tasks', 'title'), ('folders', 'name'), ('files', 'name'),
    ('discussions', 'title')) v (table_name, column_name)
  loop
    execute format('alter table %I drop column search_name', named.table_name);
    execute format(
      'alter table %I add column search_name text collate "C" generated always as (left('' '' || search_name(%I), 500)) stored',
      named.table_name, named.column_name);
    -- For the whole name and its beginning.
    execute format('create index %I on %I (company_id, search_name)', named.table_name || '_name', named.table_name);
    -- For words and the inside of words. The company comes second, so that a large one is only asked about what matches.
    -- Of all the indexes only this one knows it as text: a search that names it so is served by this index, whatever the
    -- planner believes about the size of a company.
    execute format(
      'create index %I on %I using gin (search_name gin_trgm_ops, (company_id::text)) with (gin_pending_list_limit = 256)',
      named.table_name || '_search', named.table_name);
  end loop;
end $$;

-- What a search leaves out.
create index projects_deleted on projects (company_id, id) where deleted_at is not null;

-- Companies differ in size by orders of magnitude. A plan is made for all of them; it is to suit one that has a third of
-- everything, because for a small one any plan will do.
do $$
declare
  owned record;
begin
  for owned in select c.table_name from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = current_schema and c.column_name = 'company_id' and t.table_type = 'BASE TABLE'
  loop
    execute format('alter table %I alter column company_id set (n_distinct = 3)', owned.table_name);
  end loop;
end $$;

-- A kind that has no parent has the number 0 of the type that the others have: else PostgreSQL does not hand the condition
-- on the parent down, and looks for a slug among all the tasks of a company.
create or replace view taken_slugs as
  select company_id, kind, parent_id, slug, record_id from retired_slugs
  union all
  select company_id, 'project', 0::bigint, slug, id from projects
  union all
  select company_id, 'task_list', project_id, slug, id from task_lists where deleted_at is null
  union all
  select company_id, 'task', task_list_id, slug, id from tasks
  union all
  select company_id, 'discussion', project_id, slug, id from discussions;

-- The counts, by the primary key of each parent: one statement for all would read through every list to find the few.
-- In one order for all, lists before projects, so that two who change several do not wait for each other.
create or replace function count_task_lists() returns trigger language plpgsql as $$
declare
  change record;
begin
  if tg_op = 'INSERT' then
    for change in select company_id, project_id, count(*) as lists from added group by 1, 2 order by 2 loop
      update projects set task_lists_count = task_lists_count + change.lists
      where company_id = change.company_id and id = change.project_id;
    end loop;
  else
    -- Those that were deleted before are counted no more.
    for change in select company_id, project_id, count(*) as lists from removed where deleted_at is null group by 1, 2 order by 2 loop
      update projects set task_lists_count = task_lists_count - change.lists
      where company_id = change.company_id and id = change.project_id;
    end loop;
  end if;
  return null;
end $$;

create or replace function count_tasks() returns trigger language plpgsql as $$
declare
  changes task_count[];
  change record;
begin
  if tg_op = 'INSERT' then
    changes := array(select (company_id, project_id, task_list_id, count(*), count(completed_at))::task_count
                     from added group by company_id, project_id, task_list_id);
  elsif tg_op = 'DELETE' then
    changes := array(select (r.company_id, r.project_id, r.task_list_id, -count(*), -count(r.completed_at))::task_count
                     from removed r join task_lists l on l.company_id = r.company_id and l.id = r.task_list_id
                     where l.deleted_at is null group by r.company_id, r.project_id, r.task_list_id);
  else
    changes := array(select (company_id, project_id, task_list_id, sum(n), sum(done))::task_count
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

-- Room in each page for the next count, so that it needs no new entries in the indexes.
alter table task_lists set (fillfactor = 70);
alter table projects set (fillfactor = 70);
