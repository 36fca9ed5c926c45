-- Receivers elsewhere that are told of changes. What they are told of is taken from the feed, behind the place that each
-- has come to: a change and its deliveries exist together or not at all.
create table webhooks (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  name text not null,
  url text not null,
  kinds text[] not null,
  -- Null for all projects.
  project_id bigint,
  active boolean not null default true,
  -- Encrypted under the server secret. The previous one goes on signing for a while after a rotation.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  -- The place in the feed: behind the entry `change_id` of the transaction `tx`.
  tx xid8 not null,
  change_id bigint not null,
  -- What had been committed when it was made, or switched on. Of that it is not told: while a transaction is running anywhere,
  -- the end of the feed lies before changes that have been committed already.
  told_since pg_snapshot not null,
  -- Null for the operator.
  created_by bigint,
  created_at timestamptz not null default now(),
  -- Set by the first failure after a success. The people in charge are told when it lasts, once.
  failing_since timestamptz,
  warned_at timestamptz,
  -- Set when Diwan itself switched it off, with the reason.
  switched_off_at timestamptz,
  switched_off_because text check (switched_off_because in ('failing', 'gone')),
  primary key (company_id, id),
  foreign key (company_id, project_id) references projects on delete cascade,
  foreign key (company_id, created_by) references users
);
alter table webhooks alter column company_id set (n_distinct = 3);
-- For counting those that fail, of all companies.
create index webhooks_failing on webhooks (failing_since) where active and failing_since is not null;

-- One message to one webhook, and what came of the last attempt. Of the record only its name is kept: what it says is read
-- anew for each attempt.
create table webhook_deliveries (
  company_id bigint not null,
  id bigint generated always as identity,
  webhook_id bigint not null,
  -- The same over all attempts, replays included.
  message_id text not null default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
  kind text not null,
  change text not null,
  record_id text not null,
  project_id text not null,
  parent_id text,
  actor text,
  fields text[],
  at timestamptz not null,
  created_at timestamptz not null default now(),
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  -- Since it was made or last replayed.
  attempts integer not null default 0,
  -- While an attempt is under way, when another worker may take over from one that was killed.
  next_attempt_at timestamptz default now(),
  claim uuid,
  last_attempt_at timestamptz,
  status integer,
  error text,
  ms integer,
  response text,
  -- That of the change.
  traceparent text,
  primary key (company_id, id),
  foreign key (company_id, webhook_id) references webhooks on delete cascade
);
alter table webhook_deliveries alter column company_id set (n_distinct = 3);
-- For the log, newest first.
create index webhook_deliveries_webhook on webhook_deliveries (company_id, webhook_id, id);
-- For those that failed: among many that did not, there may be few.
create index webhook_deliveries_failed on webhook_deliveries (company_id, webhook_id, id) where state = 'failed';
create index webhook_deliveries_due on webhook_deliveries (company_id, webhook_id, next_attempt_at) where state = 'pending';
create index webhook_deliveries_claimed on webhook_deliveries (company_id, webhook_id) where claim is not null;
-- For forgetting old ones.
create index webhook_deliveries_age on webhook_deliveries (greatest(created_at, '-infinity'));
