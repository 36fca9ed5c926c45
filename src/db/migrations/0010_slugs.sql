-- Slugs that a rename has retired: within their parent they still lead to the record, and no other record gets them.
-- The parent of a project is its company (0 here).
create table retired_slugs (
  company_id bigint not null references companies,
  kind text not null,
  parent_id bigint not null,
  slug text not null,
  record_id bigint not null,
  primary key (company_id, kind, parent_id, slug)
);
alter table retired_slugs alter column company_id set (n_distinct = 3);

-- Current and retired ones. The 0 of a kind without a parent has the type that the other parents have: otherwise PostgreSQL
-- would not push the condition on the parent down, and would look for a slug among all the tasks of a company. The parents are written as in the indexes on slugs (see migration 0007).
create view taken_slugs as
  select company_id, kind, parent_id, slug, record_id from retired_slugs
  union all
  select company_id, 'project', 0::bigint, slug, id from projects
  union all
  select company_id, 'task_list', project_id + 0, slug, id from task_lists
  union all
  select company_id, 'task', task_list_id + 0, slug, id from tasks
  union all
  select company_id, 'discussion', project_id + 0, slug, id from discussions;

-- The slug that a record gets: the wanted one or, with -2, -3, … added, one that no other record has or had. Nobody waits: until
-- a writer commits, the others who want the same slug take the next.
create function free_slug(company bigint, of_kind text, parent bigint, record bigint, wanted text) returns text
language plpgsql as $$
declare
  number integer;
begin
  if claim_slug(company, of_kind, parent, record, wanted) then
    return wanted;
  end if;
  number := free_number(company, of_kind, parent, record, wanted, 1);
  while not claim_slug(company, of_kind, parent, record, numbered_slug(wanted, number)) loop
    number := number + 1;
  end loop;
  return numbered_slug(wanted, number);
end $$;

-- A number above `low` that is free. They are given out in order, so it is found in steps that double, and then by halving.
create function free_number(company bigint, of_kind text, parent bigint, record bigint, wanted text, low integer) returns integer
language plpgsql as $$
declare
  high integer := low + 1;
  middle integer;
begin
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
  return high;
end $$;

-- Whoever adds many tasks of one name goes on from the number of the last. 1 where that has another name.
create function newest_number(company bigint, list bigint, wanted text) returns integer language plpgsql as $$
declare
  newest text;
  number integer;
begin
  select t.slug into newest from tasks t where t.company_id = company and t.task_list_id = list order by t.id desc limit 1;
  number := substring(newest from '-([1-9][0-9]{0,7})$')::integer;
  return case when numbered_slug(wanted, number) = newest then number else 1 end;
end $$;

-- True when nobody has the slug and nobody else can get it before this transaction ends. It is looked up after the lock was
-- got: whoever had the lock before has committed, and the look-up sees that. A record that is renamed looks before that too: it
-- may find the slug of another, who could not take it back while this one had the lock.
create function claim_slug(company bigint, of_kind text, parent bigint, record bigint, wanted text) returns boolean
language plpgsql as $$
begin
  if record is not null and is_slug_taken(company, of_kind, parent, record, wanted) then
    return false;
  end if;
  if not pg_try_advisory_xact_lock(slug_lock(company, of_kind, parent, wanted)) then
    return false;
  end if;
  return not is_slug_taken(company, of_kind, parent, record, wanted);
end $$;

-- The slugs of several new tasks: for each the wanted one, if it is free and no task before it wants the same, or else a numbered
-- one that none of the others has got. All tasks of one name are numbered in one step: one by one, a hundred of them would cost
-- as much as writing them.
create function free_task_slugs(company bigint, lists bigint[], wanted text[]) returns text[] language plpgsql as $$
declare
  slugs text[] := claim_task_slugs(company, lists, wanted);
  same record;
  places bigint[];
  number integer;
  numbered text[];
begin
  for same in
    select list, slug, array_agg(place order by place) as places
    from unnest(lists, wanted, slugs) with ordinality sent (list, slug, given, place)
    where given is null group by list, slug order by min(place)
  loop
    places := same.places;
    number := free_number(company, 'task', same.list, null, same.slug, newest_number(company, same.list, same.slug));
    loop
      numbered := array(
        select each from generate_series(number, number + cardinality(places) - 1) n, numbered_slug(same.slug, n) each
        where not exists (select from unnest(lists, slugs) given (list, slug) where given.list = same.list and given.slug = each));
      number := number + cardinality(places);
      numbered := array_remove(claim_task_slugs(company, array_fill(same.list, array[cardinality(numbered)]), numbered), null);
      for n in 1 .. cardinality(numbered) loop
        slugs[places[n]] := numbered[n];
      end loop;
      places := places[cardinality(numbered) + 1 :];
      exit when cardinality(places) = 0;
    end loop;
  end loop;
  return slugs;
end $$;

-- The slugs that new tasks can have, in the given order: null instead of one that is taken, or that comes before in the same list.
-- They are claimed in one step and then looked up in one, as claim_slug does for one record.
create function claim_task_slugs(company bigint, lists bigint[], wanted text[]) returns text[] language plpgsql as $$
declare
  claimed bigint[] := array(
    select place from (
      select distinct on (list, slug) list, slug, place from unnest(lists, wanted) with ordinality sent (list, slug, place)
      order by list, slug, place) first
    where not is_like_ref(slug) and pg_try_advisory_xact_lock(slug_lock(company, 'task', list, slug)));
begin
  return array(
    select case when place = any (claimed) and (
        select true from taken_slugs t
        where t.company_id = company and t.kind = 'task' and t.parent_id = list and t.slug = sent.slug limit 1) is null
      then slug end
    from unnest(lists, wanted) with ordinality sent (list, slug, place) order by place);
end $$;

create function slug_lock(company bigint, of_kind text, parent bigint, slug text) returns bigint language sql stable
return hashtextextended(format('slug %s %s %s %s', company, of_kind, parent, slug), 0);

create function is_like_ref(slug text) returns boolean language sql immutable
return slug ~ '^(prj|lst|tsk|mjl|fil)-[0-9a-hjkmnp-tv-z]{10}$';

-- A slug never looks like a ref. The statement names one kind, so that PostgreSQL starts none for the tables of the others.
create function is_slug_taken(company bigint, of_kind text, parent bigint, record bigint, wanted text) returns boolean
language plpgsql as $$
begin
  if is_like_ref(wanted) then
    return true;
  elsif of_kind = 'task' then
    return exists (select from taken_slugs t where t.company_id = company and t.kind = 'task' and t.parent_id = parent
      and t.slug = wanted and t.record_id is distinct from record);
  end if;
  return exists (select from taken_slugs t where t.company_id = company and t.kind = of_kind and t.parent_id = parent
    and t.slug = wanted and t.record_id is distinct from record);
end $$;

create function numbered_slug(wanted text, number integer) returns text language sql immutable as $$
  select left(wanted, 79 - length(number::text)) || '-' || number
$$;

-- Arguments: the kind, and the column that holds the parent (none for a project). A record that moves to another parent
-- leaves its retired slugs behind.
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
-- The slug of a deleted list is free.
create trigger task_lists_retire_slug after update on task_lists
  for each row when (old.slug <> new.slug and new.deleted_at is null) execute function retire_slug('task_list', 'project_id');
create trigger tasks_retire_slug after update on tasks
  for each row when (old.slug <> new.slug or old.task_list_id <> new.task_list_id)
  execute function retire_slug('task', 'task_list_id');
create trigger discussions_retire_slug after update on discussions
  for each row when (old.slug <> new.slug) execute function retire_slug('discussion', 'project_id');
