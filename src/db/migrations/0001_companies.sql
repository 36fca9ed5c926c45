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

create table audit_entries (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  created_at timestamptz not null default now(),
  outcome text not null check (outcome in ('denied', 'allowed')),
  operation text not null,
  method text not null,
  path text not null,
  status integer not null,
  reason text not null,
  key_id bigint,
  actor text not null,
  request_id text not null,
  -- How many it stands for. An entry that counts has its hour and the credential whose denials it counts.
  count bigint not null default 1,
  counted_hour timestamptz,
  credential text,
  primary key (company_id, id),
  foreign key (company_id, key_id) references api_keys
);
create unique index audit_entries_counting on audit_entries (company_id, credential, counted_hour) where counted_hour is not null;

-- How often a credential was denied in its last hour with a denial; one row a credential.
create table denials (
  company_id bigint not null references companies,
  credential text not null,
  hour timestamptz not null,
  count bigint not null,
  primary key (company_id, credential)
);
