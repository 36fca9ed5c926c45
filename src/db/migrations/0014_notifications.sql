-- What happened, for the people of a company. The title of the subject is kept as it was.
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
alter table timeline_entries alter column company_id set (n_distinct = 3);
create index timeline_entries_age on timeline_entries (greatest(created_at, '-infinity'));

-- What people are told of. It is written once, with the change that it is about; a job then adds a notification for each person.
create table notices (
  company_id bigint not null,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  kind text not null,
  project_id bigint,
  actor_id bigint not null,
  subject_type text not null,
  subject_id text not null,
  subject_title text not null,
  -- The ids of those who are told. Null where the kind says who they are, such as the people of a project.
  recipients bigint[],
  -- The event as it was when people were told of it and, if it had been changed, what they knew of it before.
  event jsonb,
  event_before jsonb,
  -- The id of the job that tells people, the last person whom it has told, and when everyone had been told.
  job_id uuid not null default gen_random_uuid(),
  told_up_to bigint not null default 0,
  told_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, actor_id) references users,
  foreign key (company_id, project_id) references projects on delete cascade
);
alter table notices alter column company_id set (n_distinct = 3);
create index notices_subject on notices (company_id, subject_type, subject_id, id);
create index notices_age on notices (greatest(created_at, '-infinity'));
create index notices_untold on notices (company_id, subject_type, subject_id, id) where told_at is null;

-- That one person is told of a notice.
create table notifications (
  company_id bigint not null,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  notice_id bigint not null,
  user_id bigint not null,
  -- The id of the job that mails it, and of the mail itself, so that every attempt sends the same one.
  mail_id uuid not null default gen_random_uuid(),
  emailed_at timestamptz,
  -- When the person marked it as read.
  read_at timestamptz,
  primary key (company_id, id),
  unique (company_id, notice_id, user_id),
  foreign key (company_id, notice_id) references notices on delete cascade,
  foreign key (company_id, user_id) references users
);
alter table notifications alter column company_id set (n_distinct = 3);
create index notifications_user on notifications (company_id, user_id, id);
create index notifications_unread on notifications (company_id, user_id, id) where read_at is null;
create index notifications_age on notifications (greatest(created_at, '-infinity'));
