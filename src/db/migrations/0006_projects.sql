-- How every named record is searched.
--
-- `search_name` is the name as it is searched for, with a space before its first word and after its last, so that ' word' is
-- the beginning of a word wherever it stands, and ' word ' a whole one. It is in byte order, because beginnings are looked up
-- as a range. A name can grow when its ligatures are spelled out; 499 characters of it are searched, which is what an index
-- entry can hold.
--
-- `…_search_beginning` is the index for whole names and their beginnings, `…_search_words` the one for words and parts of
-- words. In the latter the company comes second, so that only the matches are compared with it, however large a company is.
-- No other index has the company as text: a search that asks for it as text uses this one, whatever the planner believes
-- about the size of a company.

-- The fill factor leaves room in each page for the next count, so that changing one needs no new entries in the indexes.
create table projects (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  ref text not null,
  slug text not null,
  name text not null,
  description text,
  is_public boolean not null,
  archived boolean not null default false,
  start_date date,
  end_date date,
  external_id text,
  metadata jsonb not null default '{}',
  -- See migration 0008: what is shown are these and the changes since.
  counted_task_lists bigint not null default 0,
  counted_tasks bigint not null default 0,
  counted_completed_tasks bigint not null default 0,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by bigint,
  search_name text collate "C" generated always as (left(' ' || search_name(name), 500) || ' ') stored,
  primary key (company_id, id),
  foreign key (company_id, created_by) references users,
  foreign key (company_id, deleted_by) references users
) with (fillfactor = 70);
alter table projects alter column company_id set (n_distinct = 3);
create unique index projects_ref on projects (company_id, ref);
create unique index projects_slug on projects (company_id, slug);
create unique index projects_external_id on projects (company_id, external_id);
create index projects_search_beginning on projects (company_id, search_name);
create index projects_search_words on projects
  using gin (search_name gin_trgm_ops, (company_id::text)) with (gin_pending_list_limit = 256);
create index projects_deleted on projects (company_id, id) where deleted_at is not null;
create index projects_archived on projects (company_id, id) where archived;

create table project_members (
  company_id bigint not null,
  project_id bigint not null,
  user_id bigint not null,
  primary key (company_id, project_id, user_id),
  foreign key (company_id, project_id) references projects on delete cascade,
  foreign key (company_id, user_id) references users
);
alter table project_members alter column company_id set (n_distinct = 3);
