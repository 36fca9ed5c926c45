-- Bodies and comments are stored as rich text (HTML); the API shows them as plain text.

create table discussions (
  company_id bigint not null,
  id bigint generated always as identity,
  project_id bigint not null,
  ref text not null,
  slug text not null,
  title text not null,
  body text,
  category text,
  external_id text,
  metadata jsonb not null default '{}',
  author_id bigint not null,
  counted_replies bigint not null default 0,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by bigint,
  search_name text collate "C" generated always as (left(' ' || search_name(title), 500) || ' ') stored,
  primary key (company_id, id),
  foreign key (company_id, project_id) references projects on delete cascade,
  foreign key (company_id, author_id) references users,
  foreign key (company_id, deleted_by) references users
) with (fillfactor = 70);
alter table discussions alter column company_id set (n_distinct = 3);
create unique index discussions_ref on discussions (company_id, ref);
create unique index discussions_slug on discussions (company_id, slug, (project_id + 0));
create unique index discussions_external_id on discussions (company_id, external_id);
create index discussions_order on discussions (company_id, project_id, id);
create index discussions_deleted on discussions (company_id, id) where deleted_at is not null;
create index discussions_search_beginning on discussions (company_id, search_name);
create index discussions_search_words on discussions
  using gin (search_name gin_trgm_ops, (company_id::text)) with (gin_pending_list_limit = 256);

create table discussion_subscriptions (
  company_id bigint not null,
  discussion_id bigint not null,
  user_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (company_id, discussion_id, user_id),
  foreign key (company_id, discussion_id) references discussions on delete cascade,
  foreign key (company_id, user_id) references users
);
alter table discussion_subscriptions alter column company_id set (n_distinct = 3);

-- A comment is on a task list or a task, or is a reply to a discussion.
create table comments (
  company_id bigint not null,
  id bigint generated always as identity,
  task_list_id bigint,
  task_id bigint,
  discussion_id bigint,
  body text not null,
  author_id bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, task_list_id) references task_lists on delete cascade,
  foreign key (company_id, task_id) references tasks on delete cascade,
  foreign key (company_id, discussion_id) references discussions on delete cascade,
  foreign key (company_id, author_id) references users,
  check (num_nonnulls(task_list_id, task_id, discussion_id) = 1)
);
alter table comments alter column company_id set (n_distinct = 3);
create index comments_on_task_lists on comments (company_id, task_list_id, id) where task_list_id is not null;
create index comments_on_tasks on comments (company_id, task_id, id) where task_id is not null;
create index comments_on_discussions on comments (company_id, discussion_id, id) where discussion_id is not null;

create function count_replies() returns trigger language plpgsql as $$
declare
  reply comments := coalesce(new, old);
begin
  -- A discussion that is gone with its replies has nothing to count.
  insert into count_changes (company_id, project_id, discussion_id, replies)
  select d.company_id, d.project_id, d.id, case tg_op when 'INSERT' then 1 else -1 end
  from discussions d where d.company_id = reply.company_id and d.id = reply.discussion_id;
  if is_time_to_fold() then
    perform fold_counts(d.company_id, d.project_id) from discussions d
    where d.company_id = reply.company_id and d.id = reply.discussion_id;
  end if;
  return null;
end $$;

create trigger comments_count_added after insert on comments
  for each row when (new.discussion_id is not null) execute function count_replies();
create trigger comments_count_removed after delete on comments
  for each row when (old.discussion_id is not null) execute function count_replies();
