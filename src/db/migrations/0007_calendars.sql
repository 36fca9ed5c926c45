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
  -- Set by the first failure after a success, whether or not it has lasted long enough to be told.
  failing_since timestamptz,
  last_error text,
  last_synced_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, user_id) references users
);
-- Two connections to one calendar would take each other's events away.
create unique index calendars_url on calendars (company_id, url);
create index calendars_user on calendars (company_id, user_id, id);

-- What we put, or owe, into which calendar. An entry outlives its event until the calendar has forgotten it too.
create table calendar_entries (
  company_id bigint not null,
  calendar_id bigint not null,
  uid text not null,
  -- Where it was last seen on the other side; null when we have not seen it there.
  href text,
  -- Under which address each person stands in it, by id: so that a reply is still theirs when their address has changed.
  addresses jsonb,
  -- The first rises with every change that has to be carried over, the second follows when it has been.
  changes bigint not null default 1,
  carried bigint not null default 0,
  -- Who works on it, and until when nobody else does. A lock held in a transaction would span calls over the network.
  lease uuid,
  leased_until timestamptz,
  primary key (company_id, calendar_id, uid),
  foreign key (company_id, calendar_id) references calendars on delete cascade
);
create index calendar_entries_uid on calendar_entries (company_id, uid);
create index calendar_entries_owed on calendar_entries (company_id, calendar_id) where carried < changes;

-- What we put into a calendar that has been disconnected since. When the same person connects it again, these are its
-- entries: what was cancelled meanwhile goes, and the rest is not put there twice. There are no credentials here.
create table calendar_leftovers (
  company_id bigint not null,
  user_id bigint not null,
  url text not null,
  uid text not null,
  href text,
  addresses jsonb,
  primary key (company_id, user_id, url, uid),
  foreign key (company_id, user_id) references users
);
