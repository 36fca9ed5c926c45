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
  task_lists_count bigint not null default 0,
  tasks_count bigint not null default 0,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by bigint,
  primary key (company_id, id),
  foreign key (company_id, created_by) references users,
  foreign key (company_id, deleted_by) references users
);
create unique index projects_ref on projects (company_id, ref);
create unique index projects_slug on projects (company_id, slug);

create table project_members (
  company_id bigint not null,
  project_id bigint not null,
  user_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (company_id, project_id, user_id),
  foreign key (company_id, project_id) references projects on delete cascade,
  foreign key (company_id, user_id) references users
);

-- Slugs that a rename has retired: they still resolve within their parent, and are never given to another record.
-- The parent of a project is its company (0 here).
create table retired_slugs (
  company_id bigint not null references companies,
  kind text not null,
  parent_id bigint not null,
  slug text not null,
  record_id bigint not null,
  primary key (company_id, kind, parent_id, slug)
);

create view taken_slugs as
  select company_id, kind, parent_id, slug, record_id from retired_slugs
  union all
  select company_id, 'project', 0, slug, id from projects;

-- The slug a record gets: the wanted one, or with -2, -3, … the first that nobody has or had. Numbers are given in
-- order, so the first free one is found by doubling and halving. Writers under one parent take turns until they commit.
create function free_slug(company bigint, of_kind text, parent bigint, record bigint, wanted text) returns text
language plpgsql as $$
declare
  low integer := 1;
  high integer := 2;
  middle integer;
begin
  perform pg_advisory_xact_lock(hashtextextended(format('%s %s %s', company, of_kind, parent), 0));
  if not is_slug_taken(company, of_kind, parent, record, wanted) then
    return wanted;
  end if;
  while is_slug_taken(company, of_kind, parent, record, numbered_slug(wanted, high)) loop
    low := high;
    high := high * 2;
  end loop;
  while high - low > 1 loop
    middle := (low + high) / 2;
    if is_slug_taken(company, of_kind, parent, record, numbered_slug(wanted, middle)) then
      low := middle;
    else
      high := middle;
    end if;
  end loop;
  return numbered_slug(wanted, high);
end $$;

-- A slug never has the shape of a ref.
create function is_slug_taken(company bigint, of_kind text, parent bigint, record bigint, wanted text) returns boolean
language plpgsql as $$
begin
  return wanted ~ '^(prj|lst|tsk|mjl|fil)-[0-9a-hjkmnp-tv-z]{10}$' or exists (
    select from taken_slugs t
    where t.company_id = company and t.kind = of_kind and t.parent_id = parent and t.slug = wanted
      and t.record_id is distinct from record);
end $$;

create function numbered_slug(wanted text, number integer) returns text language sql immutable as $$
  select left(wanted, 79 - length(number::text)) || '-' || number
$$;

-- Arguments: the kind, and the column that holds the parent (none for a project). A record that moves to another
-- parent leaves its retired slugs behind.
create function retire_slug() returns trigger language plpgsql as $$
declare
  old_parent bigint := coalesce((to_jsonb(old) ->> tg_argv[1])::bigint, 0);
  new_parent bigint := coalesce((to_jsonb(new) ->> tg_argv[1])::bigint, 0);
begin
  delete from retired_slugs r
  where r.company_id = new.company_id and r.kind = tg_argv[0] and r.parent_id = new_parent and r.slug = new.slug;
  if old_parent = new_parent then
    insert into retired_slugs values (old.company_id, tg_argv[0], old_parent, old.slug, old.id);
  end if;
  return null;
end $$;

create trigger projects_retire_slug after update on projects
  for each row when (old.slug <> new.slug) execute function retire_slug('project');
