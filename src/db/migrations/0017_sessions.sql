-- Sessions of the console. Each belongs to the token that it was begun with and goes with it; the operator's have the company 0
-- and no row to belong to, so they keep the digest of the operator token instead, and work only as long as that is the one.
create table console_sessions (
  company_id bigint not null,
  id bigint generated always as identity,
  token_id bigint,
  operator_digest bytea,
  digest bytea not null,
  user_agent text,
  address text not null,
  created_at timestamptz not null default now(),
  -- Moves at most once a minute.
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '12 hours',
  primary key (company_id, id),
  foreign key (company_id, token_id) references personal_tokens on delete cascade,
  check ((company_id = 0) = (token_id is null)),
  check ((token_id is null) = (operator_digest is not null))
);
alter table console_sessions alter column company_id set (n_distinct = 3);
create unique index console_sessions_digest on console_sessions (digest);
create index console_sessions_token on console_sessions (company_id, token_id, id);
create index console_sessions_age on console_sessions (greatest(expires_at, '-infinity'));

-- The link that the first start prints, which signs the operator in once. The row stays: no later start makes another.
create table first_link (
  only_row boolean primary key default true check (only_row),
  -- Null once it was used.
  digest bytea,
  expires_at timestamptz not null default now() + interval '10 minutes'
);
