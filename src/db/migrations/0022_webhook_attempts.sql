-- The latest attempts of a delivery: what was sent, byte for byte, and what came back. They are kept for a shorter time than the
-- deliveries, because a body holds a copy of a record.
create table webhook_attempts (
  company_id bigint not null,
  delivery_id bigint not null,
  id bigint generated always as identity,
  -- When it ended.
  at timestamptz not null default now(),
  status integer,
  error text,
  ms integer not null,
  response text,
  -- Null when nothing could be sent, because the secret cannot be read any more.
  url text,
  headers json,
  body text,
  primary key (company_id, delivery_id, id),
  foreign key (company_id, delivery_id) references webhook_deliveries on delete cascade
);
alter table webhook_attempts alter column company_id set (n_distinct = 3);
create index webhook_attempts_age on webhook_attempts (greatest(at, '-infinity'));
