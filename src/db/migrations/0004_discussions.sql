-- Bodies are stored as rich text (HTML); the API shows their plain text.

create table comments (
  company_id bigint not null,
  id bigint generated always as identity,
  task_list_id bigint,
  task_id bigint,
  body text not null,
  author_id bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, task_list_id) references task_lists on delete cascade,
  foreign key (company_id, task_id) references tasks on delete cascade,
  foreign key (company_id, author_id) references users,
  check (num_nonnulls(task_list_id, task_id) = 1)
);
create index comments_on_task_lists on comments (company_id, task_list_id, id) where task_list_id is not null;
create index comments_on_tasks on comments (company_id, task_id, id) where task_id is not null;

create table discussions (
  company_id bigint not null,
  id bigint generated always as identity,
  project_id bigint not null,
  ref text not null,
  slug text not null,
  title text not null,
  body text,
  category text,
  author_id bigint not null,
  replies_count bigint not null default 0,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by bigint,
  primary key (company_id, id),
  foreign key (company_id, project_id) references projects on delete cascade,
  foreign key (company_id, author_id) references users,
  foreign key (company_id, deleted_by) references users
);
create unique index discussions_ref on discussions (company_id, ref);
create unique index discussions_slug on discussions (company_id, project_id, slug);
create index discussions_order on discussions (company_id, project_id, id);

create or replace view taken_slugs as
  select company_id, kind, parent_id, slug, record_id from retired_slugs
  union all
  select company_id, 'project', 0, slug, id from projects
  union all
  select company_id, 'task_list', project_id, slug, id from task_lists where deleted_at is null
  union all
  select company_id, 'task', task_list_id, slug, id from tasks
  union all
  select company_id, 'discussion', project_id, slug, id from discussions;

create trigger discussions_retire_slug after update on discussions
  for each row when (old.slug <> new.slug) execute function retire_slug('discussion', 'project_id');

create table discussion_replies (
  company_id bigint not null,
  id bigint generated always as identity,
  discussion_id bigint not null,
  body text not null,
  author_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, discussion_id) references discussions on delete cascade,
  foreign key (company_id, author_id) references users
);
create index discussion_replies_order on discussion_replies (company_id, discussion_id, id);

create function count_replies() returns trigger language plpgsql as $$
begin
  update discussions set replies_count = replies_count + (case tg_op when 'INSERT' then 1 else -1 end)
  where company_id = coalesce(new.company_id, old.company_id) and id = coalesce(new.discussion_id, old.discussion_id);
  return null;
end $$;
create trigger discussion_replies_counted after insert or delete on discussion_replies
  for each row execute function count_replies();

create table subscriptions (
  company_id bigint not null,
  discussion_id bigint not null,
  user_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (company_id, discussion_id, user_id),
  foreign key (company_id, discussion_id) references discussions on delete cascade,
  foreign key (company_id, user_id) references users
);

-- What happened, for the people of a company. The subject's title is kept as it was.
create table timeline_entries (
  company_id bigint not null,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  kind text not null,
  project_id bigint not null,
  subject_type text not null,
  subject_id text not null,
  subject_title text not null,
  actor_id bigint not null,
  primary key (company_id, id),
  foreign key (company_id, project_id) references projects on delete cascade,
  foreign key (company_id, actor_id) references users
);

create table notifications (
  company_id bigint not null,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  kind text not null,
  user_id bigint not null,
  project_id bigint,
  actor_id bigint not null,
  subject_type text not null,
  subject_id text not null,
  subject_title text not null,
  -- Of the job that mails it and, so that it is the same for every attempt, of the mail.
  mail_id uuid not null default gen_random_uuid(),
  emailed_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, user_id) references users,
  foreign key (company_id, actor_id) references users,
  foreign key (company_id, project_id) references projects on delete cascade
);
create index notifications_of_user on notifications (company_id, user_id, id);
create index notifications_about on notifications (company_id, user_id, subject_type, subject_id, id);

alter table users add column language text not null default 'en' check (language in ('en', 'ar'));

-- The answer to a repeated POST, committed with the write itself.
create table idempotent_answers (
  company_id bigint not null,
  key_id bigint not null,
  name text not null,
  request_digest bytea not null,
  status integer not null,
  answer text not null,
  ignored_fields text,
  created_at timestamptz not null default now(),
  primary key (company_id, key_id, name),
  foreign key (company_id, key_id) references api_keys
);
create index idempotent_answers_age on idempotent_answers (created_at);
