-- Apps that connect by OAuth. What one is granted is an API key of kind `app` (0003): the same gate, allowance, audit and log
-- apply. Here is what leads to the key: who asks, what they ask for, and the tokens that stand for it.

-- Apps that have registered themselves. They belong to no company, because nobody is signed in then: `company_id` is 0.
create table app_clients (
  company_id bigint not null default 0 check (company_id = 0),
  id text not null,
  name text not null,
  redirect_uris text[] not null,
  -- Where it was registered from: one address may register only a few that nobody has used.
  address text not null,
  created_at timestamptz not null default now(),
  -- When somebody first granted it something.
  granted_at timestamptz,
  expires_at timestamptz not null default now() + interval '1 day',
  primary key (company_id, id)
);
alter table app_clients alter column company_id set (n_distinct = 3);
create index app_clients_unused on app_clients (company_id, address) where granted_at is null;
create index app_clients_age on app_clients (greatest(expires_at, '-infinity'));

-- What apps ask for, until a person has decided. The company is that of the person, and so it is 0 until then.
create table app_requests (
  company_id bigint not null default 0,
  id uuid not null default gen_random_uuid(),
  -- Of the cookie of the browser in which it was asked: nobody can be sent a link to the request of somebody else.
  browser_digest bytea not null,
  client_id text not null,
  client_name text not null,
  client_host text not null,
  redirect_uri text not null,
  state text,
  code_challenge text not null,
  resource text not null,
  issuer text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '10 minutes',
  primary key (company_id, id)
);
alter table app_requests alter column company_id set (n_distinct = 3);
create index app_requests_age on app_requests (greatest(expires_at, '-infinity'));

-- Codes, access tokens and refresh tokens of the keys of apps, as digests. A code or refresh token that was used stays for a
-- while: if it comes again, somebody has stolen it, and the grant ends.
create table app_credentials (
  company_id bigint not null,
  id bigint generated always as identity,
  key_id bigint not null,
  kind text not null check (kind in ('code', 'access', 'refresh')),
  digest bytea not null,
  client_id text not null,
  resource text not null,
  -- Of a code only.
  redirect_uri text,
  code_challenge text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, key_id) references api_keys on delete cascade,
  check ((kind = 'code') = (redirect_uri is not null and code_challenge is not null))
);
alter table app_credentials alter column company_id set (n_distinct = 3);
create unique index app_credentials_digest on app_credentials (digest);
create index app_credentials_key on app_credentials (company_id, key_id);
create index app_credentials_age on app_credentials (greatest(expires_at, '-infinity'));
