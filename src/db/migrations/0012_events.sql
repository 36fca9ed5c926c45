create table events (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  -- By these two, other calendars know the event: the first never changes, the second rises with every change.
  uid text not null,
  sequence integer not null default 0,
  name text not null,
  description text,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  all_day boolean not null,
  -- An all-day event stays on its days when the company changes its zone: what local clocks show is what counts.
  starts_clock text,
  ends_clock text,
  meeting_url text,
  organizer_id bigint not null,
  primary key (company_id, id),
  foreign key (company_id, organizer_id) references users,
  check (ends_at >= starts_at),
  check (all_day = (starts_clock is not null) and all_day = (ends_clock is not null))
);
alter table events alter column company_id set (n_distinct = 3);
create unique index events_uid on events (company_id, uid);
create index events_order on events (company_id, starts_at, id);
create index events_organizer on events (company_id, organizer_id, starts_at, id);

create table event_attendees (
  company_id bigint not null,
  event_id bigint not null,
  user_id bigint not null,
  primary key (company_id, event_id, user_id),
  foreign key (company_id, event_id) references events on delete cascade,
  foreign key (company_id, user_id) references users
);
alter table event_attendees alter column company_id set (n_distinct = 3);
create index event_attendees_user on event_attendees (company_id, user_id, event_id);
