-- Calls of keys that were refused or failed, and all writes: what a company looks at when its integration does not work. They
-- are written in bulk a moment later and not with each call, so they refer to nothing: looking up the key of each would cost more
-- than the row itself.
create table requests (
  company_id bigint not null,
  id bigint generated always as identity,
  -- When it was answered.
  at timestamptz not null,
  key_id bigint not null,
  request_id text not null,
  -- Where traces are recorded.
  trace_id text,
  method text not null,
  path text not null,
  operation text,
  status smallint not null,
  code text,
  message text,
  ms double precision not null,
  -- The order in which pages are read. A company has some 20,000 entries at most, so whatever else is asked for is found by
  -- reading them: another index would cost every write more than it spares the few who look.
  primary key (company_id, at, id)
);
alter table requests alter column company_id set (n_distinct = 3);
create index requests_age on requests (greatest(at, '-infinity'));
