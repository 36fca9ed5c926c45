-- Who did what to whom. Entries that concern no company have the company 0. The audit outlives what it tells of, so it
-- refers to nothing but the key that acted.
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
  -- Who signs: for a key the person behind it, by the name they had then.
  actor text not null,
  key_id bigint generated always as (case when by_kind = 'key' then by_id end) stored,
  target_type text,
  target_id text,
  target_name text,
  changes jsonb not null default '{}',
  request_id text not null,
  -- How many denials the entry stands for. One that counts has its hour, and the credential whose denials it counts.
  count bigint not null default 1,
  counted_hour timestamptz,
  credential text,
  primary key (company_id, id),
  foreign key (company_id, key_id) references api_keys
);
create unique index audit_entries_counted_hour on audit_entries (company_id, credential, counted_hour)
  where counted_hour is not null;

-- Every filter has an index in the order in which pages are read, so that a period of time is a range of it.
create index audit_entries_created_at on audit_entries (company_id, created_at, id);
create index audit_entries_outcome on audit_entries (company_id, outcome, created_at, id);
create index audit_entries_operation on audit_entries (company_id, operation, created_at, id);
create index audit_entries_by_kind on audit_entries (company_id, by_kind, created_at, id);
create index audit_entries_by_kind_and_id on audit_entries (company_id, by_kind, by_id, created_at, id);
create index audit_entries_by_id on audit_entries (company_id, by_id, created_at, id);
create index audit_entries_target on audit_entries (company_id, target_id, created_at, id);
-- For forgetting old entries of all companies.
create index audit_entries_age on audit_entries (greatest(created_at, '-infinity'));

-- One plan is made for all values of a filter. It should suit a rare value, which only its own index finds quickly, as well
-- as a common one, which has to be read in order instead of being sorted as a whole.
alter table audit_entries
  alter column company_id set (n_distinct = 3),
  alter column outcome set (n_distinct = 20), alter column operation set (n_distinct = 20),
  alter column by_kind set (n_distinct = 20), alter column by_id set (n_distinct = 20),
  alter column target_id set (n_distinct = 20);

-- How often a credential was denied in the last hour in which it was denied at all; one row for each credential. What the
-- operator is denied may be of no company: it is counted for the company 0.
create table denial_counts (
  company_id bigint not null,
  credential text not null,
  hour timestamptz not null,
  count bigint not null,
  primary key (company_id, credential)
);
alter table denial_counts alter column company_id set (n_distinct = 3);
create index denial_counts_age on denial_counts (greatest(hour, '-infinity'));
