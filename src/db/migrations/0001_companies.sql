-- A company, and how many calls it has made.
--
-- Every key begins with the company and every reference includes it, so no row can point into another company.
--
-- Companies differ in size by orders of magnitude, and one plan is made for all of them. It should suit a company that has
-- a third of everything, because for a small one any plan will do: hence `n_distinct = 3` for the company_id of each table.

create table companies (
  id bigint generated always as identity primary key,
  name text not null,
  time_zone text not null,
  plan text not null check (plan in ('free', 'pro', 'advanced', 'productive', 'enterprise')),
  rest_api boolean not null default false,
  daily_calls integer check (daily_calls >= 0),
  subscription text not null default 'active' check (subscription in ('active', 'read_only')),
  -- Of the mails to people who are added without a choice of their own.
  language text not null default 'en' check (language in ('en', 'ar')),
  -- In which mails tell dates besides the Gregorian one.
  second_calendar text check (second_calendar in ('islamic-umalqura')),
  -- Whether its people come into the console by the identity provider only, where the operator lets companies decide that.
  require_oidc boolean not null default false,
  -- Rises with every change to what a key may do, so that a remembered key is known to be out of date.
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  -- From this moment it is not there for its keys and people. After 30 days it is removed.
  closed_at timestamptz,
  -- The company that it is the sandbox of: there people try out what they would not do in the company itself.
  sandbox_of bigint references companies,
  -- Where companies live in cells: it is being copied to another cell and only read (leaving), is being copied here and not
  -- served yet (arriving), or is served by the cell that `moved_to` names (left).
  moving text check (moving in ('leaving', 'arriving', 'left')),
  -- The cell that it moves or has moved to. It is set a little before `leaving`: from then on no job of the company begins.
  moved_to integer,
  -- When somebody was last signed in to a sandbox, to the hour. Keys note their own use.
  used_at timestamptz not null default now(),
  -- The name as it is searched for. It is set by a trigger, since the function that makes it comes later.
  search_name text collate "C" not null default ''
);

-- A company has one sandbox at a time. Those that were closed are still there until they are removed.
create unique index companies_open_sandbox on companies (sandbox_of) where closed_at is null;
create index companies_sandbox on companies (sandbox_of) where sandbox_of is not null;

create function raise_own_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;

create trigger companies_raise_version
  before update of name, time_zone, plan, rest_api, daily_calls, subscription, closed_at, moving on companies
  for each row execute function raise_own_version();

-- For tables of a company whose changes decide what its keys may do.
create function raise_company_version() returns trigger language plpgsql as $$
begin
  update companies set version = version + 1 where id = new.company_id;
  return null;
end $$;

-- One row for each company and day in its zone. `last_granted` is how many calls the latest statement granted of those it
-- asked for.
create table calls_by_day (
  company_id bigint not null references companies,
  local_date date not null,
  calls bigint not null,
  last_granted bigint not null,
  allowance bigint,
  primary key (company_id, local_date)
);
alter table calls_by_day alter column company_id set (n_distinct = 3);
-- For forgetting old days, as in every table whose rows are kept for a time.
create index calls_by_day_age on calls_by_day (greatest(local_date, '-infinity'));

-- One row, written to find out whether the database accepts writes.
create table write_probe (
  only_row boolean primary key default true check (only_row),
  written_at timestamptz not null default now()
);
insert into write_probe default values;

-- One row, made by the first start. It recognises SERVER_SECRET, which cannot be derived from it.
create table server_secret_mark (
  only_row boolean primary key default true check (only_row),
  salt text not null,
  fingerprint text not null
);
