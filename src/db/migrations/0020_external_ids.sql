-- The other system's name for a record, unique in its company and kind.
--
-- A deleted record frees its external id, and so does all that went with it; a restored one has it back unless another has
-- taken it meanwhile. So deleting and restoring do nothing about external ids: a deleted record keeps its own until another
-- wants it, and loses it then.
create view external_ids as
  select company_id, 'project' as kind, external_id, id as record_id, ref, id as project_id, deleted_at is null as is_there
  from projects
  union all
  select l.company_id, 'task_list', l.external_id, l.id, l.ref, p.id, l.deleted_at is null and p.deleted_at is null
  from task_lists l join projects p on p.company_id = l.company_id and p.id = l.project_id
  union all
  select t.company_id, 'task', t.external_id, t.id, t.ref, p.id, l.deleted_at is null and p.deleted_at is null
  from tasks t join task_lists l on l.company_id = t.company_id and l.id = t.task_list_id
  join projects p on p.company_id = t.company_id and p.id = t.project_id
  union all
  select d.company_id, 'discussion', d.external_id, d.id, d.ref, p.id, d.deleted_at is null and p.deleted_at is null
  from discussions d join projects p on p.company_id = d.company_id and p.id = d.project_id;

-- Claims external ids for records of one kind until the transaction ends, and returns those that records already have. Whoever
-- else wants one of them waits, and then sees what this transaction did. They are claimed in one order, so that two who want
-- the same ones do not wait for each other.
create function claim_external_ids(company bigint, of_kind text, wanted text[])
returns table (external_id text, record_id bigint, ref text) language plpgsql as $$
#variable_conflict use_column
declare
  deleted bigint[];
begin
  perform pg_advisory_xact_lock(key) from (
    select distinct hashtextextended(format('external_id %s %s %s', company, of_kind, id), 0) as key
    from unnest(wanted) id where id is not null order by key) keys;
  deleted := array(
    select e.record_id from external_ids e
    where e.company_id = company and e.kind = of_kind and e.external_id = any (wanted) and not e.is_there);
  if cardinality(deleted) > 0 then
    perform free_external_ids(company, of_kind, deleted);
  end if;
  return query
    select e.external_id, e.record_id, e.ref from external_ids e
    where e.company_id = company and e.kind = of_kind and e.external_id = any (wanted);
end $$;

-- Takes the external ids from those of these records that are deleted. A restore that is under way is waited for, and the next
-- one waits: only then is it certain which are deleted. As everywhere, projects are locked before what is in them.
create function free_external_ids(company bigint, of_kind text, records bigint[]) returns void language plpgsql as $$
declare
  of_table text := case of_kind
    when 'project' then 'projects' when 'task_list' then 'task_lists' when 'task' then 'tasks' else 'discussions' end;
begin
  perform from projects p where p.company_id = company and p.id in (
    select e.project_id from external_ids e where e.company_id = company and e.kind = of_kind and e.record_id = any (records))
  order by p.id for key share;
  execute format('select from %I where company_id = $1 and id = any ($2) order by id for no key update', of_table)
  using company, records;
  perform set_config('diwan.frees_external_ids', 'yes', true);
  execute format('update %I set external_id = null where company_id = $1 and id in (select e.record_id from external_ids e
    where e.company_id = $1 and e.kind = $3 and e.record_id = any ($2) and not e.is_there)', of_table)
  using company, records, of_kind;
  perform set_config('diwan.frees_external_ids', '', true);
end $$;
