-- Notes are stored as rich text (HTML); the API shows them as plain text.
--
-- An index serves as well as PostgreSQL knows when to take it, and a table that was never analyzed has no statistics: every
-- value of every column is then believed to be rare. So no two indexes here begin with the same columns of which a statement
-- gives the values, where one of them would find one row and the other thousands. A slug is therefore found by (company_id,
-- slug, parent + 0): as `parent + 0`, the parent of a record is asked for in no other index. And no index leaves out the rows
-- that are marked as deleted: without statistics PostgreSQL believes that these are nearly all, and prefers such an index to
-- every other one.

-- When a record was last changed. The clock tells, and not the beginning of the transaction: of two writers who change one
-- record, the second may have begun first. It never goes back, whatever the clock does.
create function set_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := greatest(clock_timestamp(), old.updated_at);
  return new;
end $$;

create table task_lists (
  company_id bigint not null,
  id bigint generated always as identity,
  project_id bigint not null,
  ref text not null,
  slug text not null,
  title text not null,
  notes text,
  priority text check (priority in ('low', 'medium', 'high', 'urgent')),
  external_id text,
  metadata jsonb not null default '{}',
  counted_tasks bigint not null default 0,
  counted_completed_tasks bigint not null default 0,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- From this moment nobody sees the list any more, and its slug is its ref, so that another list may have the one it had. A job
  -- removes it, after its tasks, a few at a time.
  deleted_at timestamptz,
  search_name text collate "C" generated always as (left(' ' || search_name(title), 500) || ' ') stored,
  primary key (company_id, id),
  foreign key (company_id, project_id) references projects on delete cascade,
  foreign key (company_id, created_by) references users
) with (fillfactor = 70);
alter table task_lists alter column company_id set (n_distinct = 3);
create unique index task_lists_ref on task_lists (company_id, ref);
create unique index task_lists_slug on task_lists (company_id, slug, (project_id + 0));
create unique index task_lists_external_id on task_lists (company_id, external_id);
create index task_lists_deleted on task_lists (company_id, id) where deleted_at is not null;
create unique index task_lists_order on task_lists (company_id, project_id, id);
create index task_lists_search_beginning on task_lists (company_id, search_name);
create index task_lists_search_words on task_lists
  using gin (search_name gin_trgm_ops, (company_id::text)) with (gin_pending_list_limit = 256);

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
  external_id text,
  assignee_id bigint,
  metadata jsonb not null default '{}',
  created_by bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  completed boolean not null generated always as (completed_at is not null) stored,
  search_name text collate "C" generated always as (left(' ' || search_name(title), 500) || ' ') stored,
  primary key (company_id, id),
  -- A task's project is always that of its list.
  foreign key (company_id, project_id, task_list_id) references task_lists (company_id, project_id, id) on delete cascade,
  foreign key (company_id, assignee_id) references users,
  foreign key (company_id, created_by) references users
);
alter table tasks alter column company_id set (n_distinct = 3);
create unique index tasks_ref on tasks (company_id, ref);
create unique index tasks_slug on tasks (company_id, slug, (task_list_id + 0));
create unique index tasks_external_id on tasks (company_id, external_id);
create index tasks_order on tasks (company_id, task_list_id, id);
create index tasks_completed on tasks (company_id, task_list_id, completed_at) where completed_at is not null;
-- One for each order in which tasks are listed, of a company (by creation that is the primary key) and of a project. By due
-- date, open tasks and completed ones are apart: what is open and due is asked for most, and with time most are completed.
-- What they include is for counting: so that it need not be read from the tasks whether their lists are deleted and the like.
create index tasks_due on tasks (company_id, completed, due_at, id) include (project_id, task_list_id, updated_at);
create index tasks_updated on tasks (company_id, updated_at, id)
  include (project_id, task_list_id, completed, completed_at, due_at);
create index tasks_of_project on tasks (company_id, project_id, id);
create index tasks_of_project_due on tasks (company_id, project_id, completed, due_at, id) include (task_list_id, updated_at);
create index tasks_of_project_updated on tasks (company_id, project_id, updated_at, id);
-- What somebody has to do, and until when.
create index tasks_of_assignee on tasks (company_id, assignee_id, completed, due_at, id)
  include (project_id, task_list_id, updated_at);
-- One plan is made for everybody. It should suit somebody with few tasks.
alter table tasks alter column assignee_id set (n_distinct = 1000);

-- What has a value under a key. Company and project are here as no other index has them: a statement that asks for them in this
-- way uses this one, and reads only what has the value in the project, however many tasks of the company have it. Tasks without
-- metadata cost nothing here.
create index tasks_metadata on tasks
  using gin (metadata jsonb_path_ops, (company_id + 0), (project_id + 0)) with (gin_pending_list_limit = 256)
  where metadata <> '{}';

create index tasks_search_beginning on tasks (company_id, search_name);
create index tasks_search_words on tasks
  using gin (search_name gin_trgm_ops, (company_id::text)) with (gin_pending_list_limit = 256);
