create table task_lists (
  company_id bigint not null,
  id bigint generated always as identity,
  project_id bigint not null,
  ref text not null,
  slug text not null,
  title text not null,
  notes text,
  priority text check (priority in ('low', 'medium', 'high', 'urgent')),
  tasks_count bigint not null default 0,
  completed_tasks_count bigint not null default 0,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  -- From here on it is gone for everybody. A job removes it, and the tasks in it a few at a time.
  deleted_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, project_id) references projects on delete cascade,
  foreign key (company_id, created_by) references users
);
create unique index task_lists_ref on task_lists (company_id, ref);
create unique index task_lists_slug on task_lists (company_id, project_id, slug) where deleted_at is null;
create index task_lists_deleted on task_lists (company_id, id) where deleted_at is not null;
create unique index task_lists_order on task_lists (company_id, project_id, id);

create table tasks (
  company_id bigint not null,
  id bigint generated always as identity,
  project_id bigint not null,
  task_list_id bigint not null,
  ref text not null,
  slug text not null,
  title text not null,
  notes text,
  due_at date,
  completed_at timestamptz,
  time_spent_minutes integer,
  assignee_id bigint,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  -- A task's project is always its list's.
  foreign key (company_id, project_id, task_list_id) references task_lists (company_id, project_id, id) on delete cascade,
  foreign key (company_id, assignee_id) references users,
  foreign key (company_id, created_by) references users
);
create unique index tasks_ref on tasks (company_id, ref);
create unique index tasks_slug on tasks (company_id, task_list_id, slug);
create index tasks_order on tasks (company_id, task_list_id, id);
create index tasks_completed on tasks (company_id, task_list_id, completed_at) where completed_at is not null;

create or replace view taken_slugs as
  select company_id, kind, parent_id, slug, record_id from retired_slugs
  union all
  select company_id, 'project', 0, slug, id from projects
  union all
  select company_id, 'task_list', project_id, slug, id from task_lists where deleted_at is null
  union all
  select company_id, 'task', task_list_id, slug, id from tasks;

create trigger task_lists_retire_slug after update on task_lists
  for each row when (old.slug <> new.slug) execute function retire_slug('task_list', 'project_id');
create trigger tasks_retire_slug after update on tasks
  for each row when (old.slug <> new.slug or old.task_list_id <> new.task_list_id) execute function retire_slug('task', 'task_list_id');

-- The counts that parents show. They follow whole statements, so that a cascade over a million tasks is one step.
create function count_task_lists() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update projects p set task_lists_count = task_lists_count + c.lists
    from (select company_id, project_id, count(*) as lists from added group by 1, 2) c
    where p.company_id = c.company_id and p.id = c.project_id;
  else
    update projects p set task_lists_count = task_lists_count - c.lists
    from (select company_id, project_id, count(*) as lists from removed group by 1, 2) c
    where p.company_id = c.company_id and p.id = c.project_id;
  end if;
  return null;
end $$;

create trigger task_lists_added after insert on task_lists
  referencing new table as added for each statement execute function count_task_lists();
create trigger task_lists_removed after delete on task_lists
  referencing old table as removed for each statement execute function count_task_lists();

-- With a list its tasks are gone too, although they are still there to be removed.
create function uncount_deleted_list() returns trigger language plpgsql as $$
begin
  update projects set task_lists_count = task_lists_count - 1, tasks_count = tasks_count - new.tasks_count
  where company_id = new.company_id and id = new.project_id;
  return null;
end $$;

create trigger task_lists_deleted after update on task_lists
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function uncount_deleted_list();

create type task_count as (company_id bigint, project_id bigint, task_list_id bigint, tasks bigint, completed bigint);

create function count_tasks() returns trigger language plpgsql as $$
declare
  changes task_count[];
begin
  if tg_op = 'INSERT' then
    changes := array(select (company_id, project_id, task_list_id, count(*), count(completed_at))::task_count
                     from added group by company_id, project_id, task_list_id);
  elsif tg_op = 'DELETE' then
    changes := array(select (company_id, project_id, task_list_id, -count(*), -count(completed_at))::task_count
                     from removed group by company_id, project_id, task_list_id);
  else
    changes := array(select (company_id, project_id, task_list_id, sum(n), sum(done))::task_count
                     from (select company_id, project_id, task_list_id, 1 as n, (completed_at is not null)::int as done from added
                           union all
                           select company_id, project_id, task_list_id, -1, -(completed_at is not null)::int from removed) change
                     group by company_id, project_id, task_list_id having sum(n) <> 0 or sum(done) <> 0);
  end if;

  -- In one order for all, so that two who change several lists do not wait for each other.
  perform from task_lists l join unnest(changes) c on l.company_id = c.company_id and l.id = c.task_list_id
  order by l.id for no key update of l;
  perform from projects p join unnest(changes) c on p.company_id = c.company_id and p.id = c.project_id
  where c.tasks <> 0 order by p.id for no key update of p;

  update task_lists l set tasks_count = l.tasks_count + c.tasks, completed_tasks_count = completed_tasks_count + c.completed
  from unnest(changes) c
  where l.company_id = c.company_id and l.id = c.task_list_id;

  update projects p set tasks_count = p.tasks_count + c.tasks
  from (select company_id, project_id, sum(tasks) as tasks from unnest(changes) group by 1, 2 having sum(tasks) <> 0) c
  where p.company_id = c.company_id and p.id = c.project_id;
  return null;
end $$;

create trigger tasks_added after insert on tasks
  referencing new table as added for each statement execute function count_tasks();
create trigger tasks_changed after update on tasks
  referencing new table as added old table as removed for each statement execute function count_tasks();
create trigger tasks_removed after delete on tasks
  referencing old table as removed for each statement execute function count_tasks();
