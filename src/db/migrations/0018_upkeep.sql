-- What is done regularly without anybody asking for it, one row for each step: when it is next due, who is doing it now, and
-- what came of it. It is in the database so that a restart forgets nothing, and so that one process does it at a time.
create table upkeep (
  step text primary key,
  every interval not null,
  due_at timestamptz not null,
  -- Whoever is doing it. The claim of a process that was killed expires.
  claim uuid,
  claimed_until timestamptz,
  -- When it last ran to its end; before the first time, when it became known.
  done_at timestamptz not null default now(),
  -- How many rows or files it has removed in all.
  removed bigint not null default 0,
  -- What failed, since when, and how often; null when it last ran to its end.
  failure text,
  failing_since timestamptz,
  failures integer not null default 0
);
