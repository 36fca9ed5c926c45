-- A person's own calendar on a CalDAV server.
create table calendars (
  company_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  url text not null,
  username text not null,
  -- Encrypted under the server secret.
  password bytea not null,
  state text not null default 'connected' check (state in ('connected', 'failing')),
  -- Set by the first failure after a success, before anybody is told: `state` changes only when the failure lasts.
  failing_since timestamptz,
  last_error text,
  last_synced_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, user_id) references users
);
alter table calendars alter column company_id set (n_distinct = 3);
-- Two connections to one calendar would remove each other's events.
create unique index calendars_url on calendars (company_id, url);
create index calendars_user on calendars (company_id, user_id, id);

-- What we have put, or still have to put, into which calendar. An entry outlives its event until it is gone from the
-- calendar too.
create table calendar_entries (
  company_id bigint not null,
  calendar_id bigint not null,
  uid text not null,
  -- Where it was last seen on the calendar server; null when it has not been seen there.
  href text,
  -- The address under which each person appears in it, by their id, so that a reply is still theirs when it changes.
  addresses jsonb,
  -- The version rises with every change that has to reach the calendar; the other is the version that has reached it.
  version bigint not null default 1,
  synced_version bigint not null default 0,
  -- Since when a change waits to reach the calendar; it means nothing when none does.
  owed_since timestamptz not null default now(),
  -- Which worker has it, and until when no other takes it. A row lock would keep a transaction open across network calls.
  lease uuid,
  leased_until timestamptz,
  primary key (company_id, calendar_id, uid),
  foreign key (company_id, calendar_id) references calendars on delete cascade
);
alter table calendar_entries alter column company_id set (n_distinct = 3);
create index calendar_entries_uid on calendar_entries (company_id, uid);
create index calendar_entries_unsynced on calendar_entries (company_id, calendar_id) where synced_version < version;

-- What we had put into a calendar that has since been disconnected. When the same person connects it again, these become
-- its entries: events cancelled in the meantime are removed, and the others are not added twice. No credentials are kept.
create table disconnected_calendar_entries (
  company_id bigint not null,
  user_id bigint not null,
  url text not null,
  uid text not null,
  href text,
  addresses jsonb,
  primary key (company_id, user_id, url, uid),
  foreign key (company_id, user_id) references users
);
alter table disconnected_calendar_entries alter column company_id set (n_distinct = 3);
