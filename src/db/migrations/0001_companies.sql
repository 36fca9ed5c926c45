-- A company and what is asked of every call: who, with what right, how often.
-- Every key begins with the company, and every reference carries it: no row can point into another company.

create table companies (
  id bigint generated always as identity primary key,
  name text not null,
  time_zone text not null,
  plan text not null check (plan in ('free', 'pro', 'advanced', 'productive', 'enterprise')),
  rest_api boolean not null default false,
  daily_calls integer check (daily_calls >= 0),
  subscription text not null default 'active' check (subscription in ('active', 'read_only')),
  -- Rises with every change that decides what a key may do, so that a cached key is known to be stale.
  version bigint not null default 1,
  created_at timestamptz not null default now()
);

-- One row, written to find out whether anything can be.
create table readiness (
  only_row boolean primary key default true check (only_row),
  checked_at timestamptz not null default now()
);
insert into readiness default values;

create table users (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  name text not null,
  email text not null,
  role text not null check (role in ('owner', 'manager', 'member')),
  can_manage_api_keys boolean not null default false,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  -- When the first token was made. It stays when tokens are revoked: whoever has signed in once is not invited like a newcomer.
  first_token_at timestamptz,
  primary key (company_id, id)
);
create unique index users_email on users (company_id, lower(email));

-- The two stores of credentials are apart: a token of one never opens the other. They are looked up by digest alone,
-- before the company is known.
create table personal_tokens (
  company_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  name text not null,
  digest bytea not null,
  last_four text not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, user_id) references users
);
create unique index personal_tokens_digest on personal_tokens (digest);
create index personal_tokens_user on personal_tokens (company_id, user_id, id);

create function note_first_token() returns trigger language plpgsql as $$
begin
  update users set first_token_at = now()
  where company_id = new.company_id and id = new.user_id and first_token_at is null;
  return null;
end $$;

create trigger personal_tokens_first after insert on personal_tokens
  for each row execute function note_first_token();

-- The open invitation of a person. One that is used, replaced or void is not here any more.
create table invitations (
  company_id bigint not null,
  user_id bigint not null,
  digest bytea not null,
  expires_at timestamptz not null,
  -- The code, encrypted, until it has been mailed.
  code_to_mail bytea,
  primary key (company_id, user_id),
  foreign key (company_id, user_id) references users
);
create unique index invitations_digest on invitations (digest);

-- Whoever holds a code was given it for the person as that person was then.
create function void_invitation() returns trigger language plpgsql as $$
begin
  delete from invitations where company_id = new.company_id and user_id = new.id;
  return null;
end $$;

create trigger users_invitation after update of role, can_manage_api_keys, email, active on users
  for each row when ((old.role, old.can_manage_api_keys, old.email, old.active)
    is distinct from (new.role, new.can_manage_api_keys, new.email, new.active))
  execute function void_invitation();

create table api_keys (
  company_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  digest bytea not null,
  last_four text not null,
  access text not null check (access in ('read', 'write')),
  operations text[] not null,
  rights text[] not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, created_by) references users
);
create unique index api_keys_digest on api_keys (digest);

create function raise_company_version() returns trigger language plpgsql as $$
begin
  update companies set version = version + 1 where id = new.company_id;
  return null;
end $$;

create trigger api_keys_version
  after insert or update of name, access, operations, rights, expires_at, revoked_at on api_keys
  for each row execute function raise_company_version();

create trigger users_version after update of name, email on users
  for each row execute function raise_company_version();

create function raise_own_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;

create trigger companies_version
  before update of name, time_zone, plan, rest_api, daily_calls, subscription on companies
  for each row execute function raise_own_version();

-- One row a company and local day. `granted` is how many of the last asked-for calls were given.
create table daily_calls (
  company_id bigint not null references companies,
  local_date date not null,
  calls bigint not null,
  granted bigint not null,
  allowance bigint,
  primary key (company_id, local_date)
);

-- Who did what to whom. What is of no company has the company 0: it outlives every company, so nothing is referred to but
-- the key that acted.
create table audit_entries (
  company_id bigint not null,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  outcome text not null check (outcome in ('denied', 'allowed')),
  operation text not null,
  method text not null,
  path text not null,
  status integer not null,
  reason text not null,
  by_kind text not null check (by_kind in ('key', 'person', 'operator')),
  by_id bigint check ((by_id is null) = (by_kind = 'operator')),
  by_name text not null,
  -- Who signs: the person behind a key, as the name was then.
  actor text not null,
  key_id bigint generated always as (case when by_kind = 'key' then by_id end) stored,
  target_type text,
  target_id text,
  target_name text,
  changes jsonb not null default '{}',
  request_id text not null,
  -- How many it stands for. An entry that counts has its hour and the credential whose denials it counts.
  count bigint not null default 1,
  counted_hour timestamptz,
  credential text,
  primary key (company_id, id),
  foreign key (company_id, key_id) references api_keys
);
create unique index audit_entries_counting on audit_entries (company_id, credential, counted_hour) where counted_hour is not null;

-- Every filter has an index in the order in which pages are read, within which a span of time is a range.
create index audit_entries_time on audit_entries (company_id, created_at, id);
create index audit_entries_outcome on audit_entries (company_id, outcome, created_at, id);
create index audit_entries_operation on audit_entries (company_id, operation, created_at, id);
create index audit_entries_by_kind on audit_entries (company_id, by_kind, created_at, id);
create index audit_entries_by on audit_entries (company_id, by_kind, by_id, created_at, id);
create index audit_entries_by_id on audit_entries (company_id, by_id, created_at, id);
create index audit_entries_target on audit_entries (company_id, target_id, created_at, id);

-- One plan is made for all values of a filter. It is to suit the rare one, which only its own index finds soon, and the
-- common one, which must be read in order and not sorted as a whole.
alter table audit_entries
  alter column outcome set (n_distinct = 20), alter column operation set (n_distinct = 20),
  alter column by_kind set (n_distinct = 20), alter column by_id set (n_distinct = 20),
  alter column target_id set (n_distinct = 20);

-- How often a credential was denied in its last hour with a denial; one row a credential.
create table denials (
  company_id bigint not null references companies,
  credential text not null,
  hour timestamptz not null,
  count bigint not null,
  primary key (company_id, credential)
);
