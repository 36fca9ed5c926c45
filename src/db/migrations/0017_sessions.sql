-- Who somebody is at the identity provider: its `sub`, which stays when the address changes. A person has one account there and
-- an account is one person of a company, so that whoever is given somebody's old address does not become that person.
create table sign_in_links (
  company_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  issuer text not null,
  subject text not null,
  -- As the provider last told it.
  email text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, user_id) references users
);
alter table sign_in_links alter column company_id set (n_distinct = 3);
create unique index sign_in_links_person on sign_in_links (company_id, user_id, issuer);
create unique index sign_in_links_subject on sign_in_links (company_id, issuer, subject);
-- For whoever comes from the provider: the company is not known yet.
create index sign_in_links_any_subject on sign_in_links (issuer, subject);

-- Somebody who has come in this way is no newcomer either.
create trigger sign_in_links_note_first after insert on sign_in_links
  for each row execute function note_first_token();

-- What the identity provider has just told about somebody, for the few minutes in which they choose whom to be. Each can be
-- used once, and so can the state that the browser brought back. It is of no company yet.
create table shown_identities (
  company_id bigint not null default 0,
  digest bytea primary key,
  state_digest bytea not null,
  issuer text not null,
  subject text not null,
  email text,
  email_verified boolean not null,
  used_at timestamptz,
  expires_at timestamptz not null default now() + interval '10 minutes',
  unique (company_id, state_digest)
);
alter table shown_identities alter column company_id set (n_distinct = 3);
create index shown_identities_age on shown_identities (greatest(expires_at, '-infinity'));

-- Sessions of the console. Each belongs to the token that it was begun with, or to the link with the identity provider, and goes
-- with it; the operator's have the company 0 and no row to belong to, so they keep the digest of the operator token instead, and
-- work only as long as that is the one.
create table console_sessions (
  company_id bigint not null,
  id bigint generated always as identity,
  token_id bigint,
  link_id bigint,
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
  foreign key (company_id, link_id) references sign_in_links on delete cascade,
  check ((company_id = 0) = (operator_digest is not null)),
  check (num_nonnulls(token_id, link_id, operator_digest) = 1)
);
alter table console_sessions alter column company_id set (n_distinct = 3);
create unique index console_sessions_digest on console_sessions (digest);
create index console_sessions_token on console_sessions (company_id, token_id, id);
create index console_sessions_link on console_sessions (company_id, link_id, id);
create index console_sessions_age on console_sessions (greatest(expires_at, '-infinity'));

-- The link that the first start prints, which signs the operator in once. The row stays: no later start makes another.
create table first_link (
  only_row boolean primary key default true check (only_row),
  -- Null once it was used.
  digest bytea,
  expires_at timestamptz not null default now() + interval '10 minutes'
);
