-- Which columns of a record move its `updated_at` and leave an entry in the feed, and which fields that entry names.
-- A column that is not here, such as a count or a slug, changes without either. So does an external id
-- that a deleted record loses to another (see 0020_external_ids.sql).
--
-- Written by `npm run schema` from src/domain/records/records.ts. Change the declarations there, not this file.

create function changed_project_fields(old projects, new projects) returns text[] language sql immutable as $$
select array_remove(array[
  case when (new).name is distinct from (old).name then 'name' end,
  case when (new).description is distinct from (old).description then 'description' end,
  case when (new).is_public is distinct from (old).is_public then 'is_public' end,
  case when (new).start_date is distinct from (old).start_date then 'start_date' end,
  case when (new).end_date is distinct from (old).end_date then 'end_date' end,
  case when (new).external_id is distinct from (old).external_id then 'external_id' end,
  case when (new).metadata is distinct from (old).metadata then 'metadata' end], null)
$$;
create trigger projects_set_updated_at before update on projects for each row
  when ((old.name, old.description, old.is_public, old.start_date, old.end_date, old.external_id, old.metadata, old.archived)
    is distinct from (new.name, new.description, new.is_public, new.start_date, new.end_date, new.external_id, new.metadata, new.archived)
    and current_setting('diwan.frees_external_ids', true) is distinct from 'yes')
  execute function set_updated_at();
create trigger projects_record_changed after update on projects for each row
  when ((old.name, old.description, old.is_public, old.start_date, old.end_date, old.external_id, old.metadata, old.archived, old.deleted_at)
    is distinct from (new.name, new.description, new.is_public, new.start_date, new.end_date, new.external_id, new.metadata, new.archived, new.deleted_at)
    and current_setting('diwan.frees_external_ids', true) is distinct from 'yes')
  execute function record_project_change();

create function changed_task_list_fields(old task_lists, new task_lists) returns text[] language sql immutable as $$
select array_remove(array[
  case when (new).title is distinct from (old).title then 'title' end,
  case when (new).notes is distinct from (old).notes then 'notes' end,
  case when (new).priority is distinct from (old).priority then 'priority' end,
  case when (new).external_id is distinct from (old).external_id then 'external_id' end,
  case when (new).metadata is distinct from (old).metadata then 'metadata' end], null)
$$;
create trigger task_lists_set_updated_at before update on task_lists for each row
  when ((old.title, old.notes, old.priority, old.external_id, old.metadata)
    is distinct from (new.title, new.notes, new.priority, new.external_id, new.metadata)
    and current_setting('diwan.frees_external_ids', true) is distinct from 'yes')
  execute function set_updated_at();
create trigger task_lists_record_changed after update on task_lists for each row
  when ((old.title, old.notes, old.priority, old.external_id, old.metadata, old.deleted_at)
    is distinct from (new.title, new.notes, new.priority, new.external_id, new.metadata, new.deleted_at)
    and current_setting('diwan.frees_external_ids', true) is distinct from 'yes')
  execute function record_task_list_change();

create function changed_task_fields(old tasks, new tasks) returns text[] language sql immutable as $$
select array_remove(array[
  case when (new).title is distinct from (old).title then 'title' end,
  case when (new).notes is distinct from (old).notes then 'notes' end,
  case when (new).due_at is distinct from (old).due_at then 'due_at' end,
  case when (new).assignee_id is distinct from (old).assignee_id then 'assignee' end,
  case when (new).time_spent_minutes is distinct from (old).time_spent_minutes then 'time_spent_minutes' end,
  case when (new).external_id is distinct from (old).external_id then 'external_id' end,
  case when (new).metadata is distinct from (old).metadata then 'metadata' end], null)
$$;
create trigger tasks_set_updated_at before update on tasks for each row
  when ((old.title, old.notes, old.due_at, old.assignee_id, old.time_spent_minutes, old.external_id, old.metadata, old.completed_at, old.task_list_id)
    is distinct from (new.title, new.notes, new.due_at, new.assignee_id, new.time_spent_minutes, new.external_id, new.metadata, new.completed_at, new.task_list_id)
    and current_setting('diwan.frees_external_ids', true) is distinct from 'yes')
  execute function set_updated_at();
create trigger tasks_record_changed after update on tasks for each row
  when ((old.title, old.notes, old.due_at, old.assignee_id, old.time_spent_minutes, old.external_id, old.metadata, old.completed_at, old.task_list_id)
    is distinct from (new.title, new.notes, new.due_at, new.assignee_id, new.time_spent_minutes, new.external_id, new.metadata, new.completed_at, new.task_list_id)
    and current_setting('diwan.frees_external_ids', true) is distinct from 'yes')
  execute function record_task_change();

create function changed_comment_fields(old comments, new comments) returns text[] language sql immutable as $$
select array_remove(array[
  case when (new).body is distinct from (old).body then 'content' end], null)
$$;
create trigger comments_set_updated_at before update on comments for each row
  when ((old.body)
    is distinct from (new.body))
  execute function set_updated_at();
create trigger comments_record_changed after update on comments for each row
  when ((old.body)
    is distinct from (new.body))
  execute function record_comment_change();

create function changed_discussion_fields(old discussions, new discussions) returns text[] language sql immutable as $$
select array_remove(array[
  case when (new).title is distinct from (old).title then 'title' end,
  case when (new).body is distinct from (old).body then 'body' end,
  case when (new).category is distinct from (old).category then 'category' end,
  case when (new).external_id is distinct from (old).external_id then 'external_id' end,
  case when (new).metadata is distinct from (old).metadata then 'metadata' end], null)
$$;
create trigger discussions_record_changed after update on discussions for each row
  when ((old.title, old.body, old.category, old.external_id, old.metadata, old.deleted_at)
    is distinct from (new.title, new.body, new.category, new.external_id, new.metadata, new.deleted_at)
    and current_setting('diwan.frees_external_ids', true) is distinct from 'yes')
  execute function record_discussion_change();

create function changed_folder_fields(old folders, new folders) returns text[] language sql immutable as $$
select array_remove(array[
  case when (new).name is distinct from (old).name then 'name' end,
  case when (new).description is distinct from (old).description then 'description' end], null)
$$;
create trigger folders_record_changed after update on folders for each row
  when ((old.name, old.description, old.parent_folder_id, old.deleted_at)
    is distinct from (new.name, new.description, new.parent_folder_id, new.deleted_at))
  execute function record_folder_change();

create trigger files_record_changed after update on files for each row
  when ((old.scan_state, old.scan_message)
    is distinct from (new.scan_state, new.scan_message))
  execute function record_file_change();
