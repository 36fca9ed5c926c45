-- The feed of changes: what was created, changed or deleted, written by triggers so that no path can forget it.
--
-- Entries are read in the order of (tx, id), and only those of transactions below the oldest that is still running. A
-- transaction that commits later has a higher number than all that were read, so nothing is ever skipped; a sequence alone
-- could not promise that. No state is kept here: entries of one record may be in another order than its writes.
--
-- Which columns of a record count as changes, and the functions `changed_…_fields`, are in 0019_noticed_changes.sql.
create table changes (
  company_id bigint not null,
  tx xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  at timestamptz not null default now(),
  kind text not null,
  change text not null,
  -- Refs, and numbers of what has none. They stay readable when the records are gone.
  record_id text not null,
  project_id text not null,
  parent_id text,
  -- The name of the signature; null for what the service did by itself.
  actor text default nullif(current_setting('diwan.actor', true), ''),
  -- The key that it was done with; null for what people, the operator and the service did. Keys are never removed.
  key_id bigint default nullif(current_setting('diwan.key', true), '')::bigint,
  -- What an update touched.
  fields text[],
  -- The project and the list that a task was moved out of, where it was moved to another project: not everybody sees both.
  left_project_id text,
  left_parent_id text,
  -- The span that it was done in, where traces are recorded.
  traceparent text default nullif(current_setting('diwan.trace', true), ''),
  primary key (company_id, tx, id)
);
alter table changes alter column company_id set (n_distinct = 3);
-- For finding out which companies have news. It grows at its end only, so writing it costs little.
create index changes_news on changes (tx, company_id);
-- For forgetting old entries. A BRIN index would cost less to write, but its ranges never shrink: once the room of old entries
-- has been used again, it finds all of them old.
create index changes_age on changes (greatest(at, '-infinity'));

-- The lowest number of a transaction from which on a company's changes are of this time or later, as far as numbers follow
-- time. Halving the range reads some 40 entries, where one more index, by company and time, would have to be written with
-- every change.
create function first_change_since(company bigint, since timestamptz) returns xid8 language plpgsql stable as $$
declare
  low bigint := 0;
  high bigint := coalesce((select tx::text::bigint + 1 from changes where company_id = company order by tx desc limit 1), 0);
  middle bigint;
begin
  while low < high loop
    middle := (low + high) / 2;
    if (select c.at >= since from changes c where c.company_id = company and c.tx >= middle::text::xid8
        order by c.tx, c.id limit 1) is not false then
      high := middle;
    else
      low := middle + 1;
    end if;
  end loop;
  return low::text::xid8;
end $$;

create function record_project_change() returns trigger language plpgsql as $$
declare
  change text := case
    when tg_op = 'INSERT' then 'created'
    when old.deleted_at is null and new.deleted_at is not null then 'deleted'
    when old.deleted_at is not null and new.deleted_at is null then 'restored'
    when not old.archived and new.archived then 'archived'
    when old.archived and not new.archived then 'unarchived'
    else 'updated' end;
begin
  insert into changes (company_id, kind, change, record_id, project_id, fields)
  values (new.company_id, 'project', change, new.ref, new.ref, case when change = 'updated' then changed_project_fields(old, new) end);
  return null;
end $$;
create trigger projects_record_created after insert on projects for each row execute function record_project_change();

create function record_task_list_change() returns trigger language plpgsql as $$
declare
  change text := case
    when tg_op = 'INSERT' then 'created'
    when old.deleted_at is null and new.deleted_at is not null then 'deleted'
    else 'updated' end;
begin
  insert into changes (company_id, kind, change, record_id, project_id, fields)
  values (new.company_id, 'task_list', change, new.ref, (select p.ref from projects p where p.company_id = new.company_id and p.id = new.project_id),
    case when change = 'updated' then changed_task_list_fields(old, new) end);
  return null;
end $$;
create trigger task_lists_record_created after insert on task_lists for each row execute function record_task_list_change();

create function record_created_tasks() returns trigger language plpgsql as $$
begin
  insert into changes (company_id, kind, change, record_id, project_id, parent_id)
  select t.company_id, 'task', 'created', t.ref, (select p.ref from projects p where p.company_id = t.company_id and p.id = t.project_id), (select l.ref from task_lists l where l.company_id = t.company_id and l.id = t.task_list_id)
  from added t order by t.id;
  return null;
end $$;
create trigger tasks_record_created after insert on tasks
  referencing new table as added for each statement execute function record_created_tasks();

-- What goes with its list is told by the entry of the list.
create function record_deleted_tasks() returns trigger language plpgsql as $$
begin
  insert into changes (company_id, kind, change, record_id, project_id, parent_id)
  select t.company_id, 'task', 'deleted', t.ref, (select p.ref from projects p where p.company_id = t.company_id and p.id = t.project_id), l.ref
  from removed t cross join lateral (
    select ref from task_lists l where l.company_id = t.company_id and l.id = t.task_list_id and l.deleted_at is null limit 1) l
  order by t.id;
  return null;
end $$;
create trigger tasks_record_deleted after delete on tasks
  referencing old table as removed for each statement execute function record_deleted_tasks();

-- Completing and reopening are what is done most. They name no fields, and so do not pay for finding out which.
create function record_task_change() returns trigger language plpgsql as $$
declare
  change text := case
    when old.task_list_id <> new.task_list_id then 'moved'
    when old.completed_at is null and new.completed_at is not null then 'completed'
    when old.completed_at is not null and new.completed_at is null then 'reopened'
    else 'updated' end;
  fields text[];
  left_project text;
  left_list text;
begin
  if change = 'updated' then
    fields := changed_task_fields(old, new);
  elsif old.project_id <> new.project_id then
    left_project := (select p.ref from projects p where p.company_id = old.company_id and p.id = old.project_id);
    left_list := (select l.ref from task_lists l where l.company_id = old.company_id and l.id = old.task_list_id);
  end if;
  insert into changes (company_id, kind, change, record_id, project_id, parent_id, fields, left_project_id, left_parent_id)
  values (new.company_id, 'task', change, new.ref, (select p.ref from projects p where p.company_id = new.company_id and p.id = new.project_id),
    (select l.ref from task_lists l where l.company_id = new.company_id and l.id = new.task_list_id), fields, left_project, left_list);
  return null;
end $$;

create function record_comment(comment comments, change text, fields text[]) returns void language plpgsql as $$
begin
  insert into changes (company_id, kind, change, record_id, project_id, parent_id, fields)
  select comment.company_id, 'comment', change, comment.id,
    (select p.ref from projects p where p.company_id = comment.company_id and p.id = parent.project_id), parent.ref, fields
  from (
    select l.ref, l.project_id from task_lists l where l.company_id = comment.company_id and l.id = comment.task_list_id
    union all
    select t.ref, t.project_id from tasks t where t.company_id = comment.company_id and t.id = comment.task_id
    union all
    select d.ref, d.project_id from discussions d where d.company_id = comment.company_id and d.id = comment.discussion_id) parent;
end $$;

-- Text and files are changed by several statements. Together they leave one entry, which names all that changed; and none
-- beside that of a comment which was written in the same transaction.
create function record_comment_edit(comment comments, edited text[]) returns void language plpgsql as $$
declare
  entry record;
begin
  select c.id, c.fields into entry from changes c
  where c.company_id = comment.company_id and c.tx = pg_current_xact_id() and c.kind = 'comment' and c.record_id = comment.id::text;
  if not found then
    perform record_comment(comment, 'updated', edited);
  elsif not (edited <@ entry.fields) then
    update changes c set fields = entry.fields || array(select unnest(edited) except select unnest(entry.fields))
    where c.company_id = comment.company_id and c.tx = pg_current_xact_id() and c.id = entry.id;
  end if;
end $$;

create function record_comment_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform record_comment(new, 'created', null);
  else
    perform record_comment_edit(new, changed_comment_fields(old, new));
  end if;
  return null;
end $$;
create trigger comments_record_created after insert on comments for each row execute function record_comment_change();

-- Files that go with their comment leave no entry: it is no longer there.
create function record_attachment_changes() returns trigger language plpgsql as $$
declare
  comment comments;
begin
  for comment in
    select c.* from (select distinct company_id, comment_id from changed) edited cross join lateral (
      select * from comments c where c.company_id = edited.company_id and c.id = edited.comment_id limit 1) c
  loop
    perform record_comment_edit(comment, array['attachments']);
  end loop;
  return null;
end $$;
create trigger comment_attachments_record_added after insert on comment_attachments
  referencing new table as changed for each statement execute function record_attachment_changes();
create trigger comment_attachments_record_removed after delete on comment_attachments
  referencing old table as changed for each statement execute function record_attachment_changes();

create function record_discussion_change() returns trigger language plpgsql as $$
declare
  change text := case
    when tg_op = 'INSERT' then 'created'
    when old.deleted_at is null and new.deleted_at is not null then 'deleted'
    when old.deleted_at is not null and new.deleted_at is null then 'restored'
    else 'updated' end;
begin
  insert into changes (company_id, kind, change, record_id, project_id, fields)
  values (new.company_id, 'discussion', change, new.ref, (select p.ref from projects p where p.company_id = new.company_id and p.id = new.project_id),
    case when change = 'updated' then changed_discussion_fields(old, new) end);
  return null;
end $$;
create trigger discussions_record_created after insert on discussions for each row execute function record_discussion_change();

create function record_folder_change() returns trigger language plpgsql as $$
declare
  change text := case
    when tg_op = 'INSERT' then 'created'
    when old.deleted_at is distinct from new.deleted_at then 'deleted'
    when old.parent_folder_id is distinct from new.parent_folder_id then 'moved'
    else 'updated' end;
begin
  -- What goes with the folder above it is told by the entry of that one.
  if change = 'deleted' and exists (
    select from folders f where f.company_id = new.company_id and f.id = new.parent_folder_id and f.deleted_at is not null) then
    return null;
  end if;
  insert into changes (company_id, kind, change, record_id, project_id, parent_id, fields)
  values (new.company_id, 'folder', change, new.id, (select p.ref from projects p where p.company_id = new.company_id and p.id = new.project_id), new.parent_folder_id,
    case when change = 'updated' then changed_folder_fields(old, new) end);
  return null;
end $$;
create trigger folders_record_created after insert on folders for each row execute function record_folder_change();

create function record_file_change() returns trigger language plpgsql as $$
begin
  insert into changes (company_id, kind, change, record_id, project_id, parent_id)
  values (new.company_id, 'file', case tg_op when 'INSERT' then 'created' else 'scanned' end, new.ref,
    (select p.ref from projects p where p.company_id = new.company_id and p.id = new.project_id), new.folder_id);
  return null;
end $$;
create trigger files_record_created after insert on files for each row execute function record_file_change();

-- What is removed with its deleted folder is told by the entry of that folder.
create function record_deleted_files() returns trigger language plpgsql as $$
begin
  insert into changes (company_id, kind, change, record_id, project_id, parent_id)
  select f.company_id, 'file', 'deleted', f.ref,
    (select p.ref from projects p where p.company_id = f.company_id and p.id = f.project_id), f.folder_id
  from removed f
  where f.folder_id is null
    or exists (
      select from folders above
      where above.company_id = f.company_id and above.id = f.folder_id and above.deleted_at is null)
  order by f.id;
  return null;
end $$;
create trigger files_record_deleted after delete on files
  referencing old table as removed for each statement execute function record_deleted_files();
