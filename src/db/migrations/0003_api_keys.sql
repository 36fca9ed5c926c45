create table api_keys (
  company_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  -- An app was granted its key by OAuth: it calls with tokens (0023), and nobody has ever seen the key itself.
  kind text not null default 'key' check (kind in ('key', 'app')),
  -- Where the app is at home.
  app_host text check ((app_host is not null) = (kind = 'app')),
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
  -- The key that it was made to replace, when it came from a rotation.
  replaces bigint,
  primary key (company_id, id),
  foreign key (company_id, created_by) references users,
  foreign key (company_id, replaces) references api_keys on delete set null (replaces)
);
alter table api_keys alter column company_id set (n_distinct = 3);
create unique index api_keys_digest on api_keys (digest);
create index api_keys_replaces on api_keys (company_id, replaces) where replaces is not null;

create trigger api_keys_raise_version
  after insert or update of name, access, operations, rights, expires_at, revoked_at on api_keys
  for each row execute function raise_company_version();

-- The answer that a repeated POST or PUT gets, committed together with the write itself.
create table idempotent_answers (
  company_id bigint not null,
  -- Who sent it: `key:12` or `person:7`.
  repeater text not null,
  name text not null,
  request_digest bytea not null,
  status smallint not null,
  answer text not null,
  ignored_fields text,
  created_at timestamptz not null default now(),
  primary key (company_id, repeater, name),
  foreign key (company_id) references companies
);
alter table idempotent_answers alter column company_id set (n_distinct = 3);
create index idempotent_answers_age on idempotent_answers (greatest(created_at, '-infinity'));

-- The answer that a named request got before; nulls when it got none. The name is held until the transaction ends, and only then is
-- the answer looked for: whoever held it before has committed, and the look-up sees that.
create function earlier_answer(
  company bigint, of_repeater text, of_name text, since timestamptz,
  out is_running boolean, out request_digest bytea, out status smallint, out answer text, out ignored_fields text
) language plpgsql as $$
begin
  is_running := not pg_try_advisory_xact_lock(hashtextextended(format('idempotency %s %s %s', company, of_repeater, of_name), 0));
  if is_running then
    return;
  end if;
  select a.request_digest, a.status, a.answer, a.ignored_fields into request_digest, status, answer, ignored_fields
  from idempotent_answers a
  where a.company_id = company and a.repeater = of_repeater and a.name = of_name and a.created_at > since;
end $$;

-- Which keys made the calls of a day, for what, and how they were answered. These counts are written every few seconds and not
-- with each call: what was spent a moment ago, or by a process that was killed, is in `calls_by_day` alone.
create table calls_by_key (
  company_id bigint not null,
  local_date date not null,
  key_id bigint not null,
  operation text not null,
  status smallint not null,
  calls bigint not null,
  primary key (company_id, local_date, key_id, operation, status),
  foreign key (company_id, key_id) references api_keys
);
alter table calls_by_key alter column company_id set (n_distinct = 3);
create index calls_by_key_age on calls_by_key (greatest(local_date, '-infinity'));

-- The same calls by the hours since the day began, to tell from the last days how a day goes on.
create table calls_by_hour (
  company_id bigint not null references companies,
  local_date date not null,
  hour smallint not null,
  calls bigint not null,
  primary key (company_id, local_date, hour)
);
alter table calls_by_hour alter column company_id set (n_distinct = 3);
create index calls_by_hour_age on calls_by_hour (greatest(local_date, '-infinity'));
