-- While a company is copied to another cell it is only read. The database itself refuses to change what belongs to it, so that
-- no path can forget it: a call that was admitted before, a sign-in, an app that renews its token, a job. Whatever was written
-- before the company began to leave belongs to a transaction that has a number by then, because these triggers fire after the
-- row is written; the command that moves it waits until all of those have ended, and then reads.
--
-- The same holds where it has left, and where it is still arriving: a call may have been admitted before and come late. A day
-- after it left none can, and the company may be removed.
-- The copy itself is made with session_replication_role = replica, under which no trigger fires.
create function refuse_while_moving() returns trigger language plpgsql as $$
declare
  company bigint := case tg_op when 'DELETE' then old.company_id else new.company_id end;
begin
  if exists (select from companies c where c.id = company and c.moving is not null
    and (c.moving <> 'left' or c.closed_at > now() - interval '1 day'))
  then
    raise exception 'Company % is being moved to another cell', company using errcode = 'DW001';
  end if;
  return null;
end $$;

-- Not those that go on while the company is only read, or that are written only together with others: counts of calls, the log of
-- requests, the audit of refusals, what is in the feed, deliveries to webhooks that are under way, answers for repeated requests;
-- nor those that belong to no company. That a credential was used is noted at any time, and one that has expired may be removed.
do $$
declare
  name text;
  is_noted text;
  is_kept text;
begin
  for name, is_noted, is_kept in
    select c.relname,
      case when exists (select from pg_attribute u where u.attrelid = c.oid and u.attname = 'last_used_at')
        then 'when (old.last_used_at is not distinct from new.last_used_at)' else '' end,
      case when c.relname in ('app_credentials', 'console_sessions') then 'when (old.expires_at > now())' else '' end
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not in (
      'calls_by_day', 'calls_by_hour', 'calls_by_key', 'denial_counts', 'requests', 'audit_entries', 'changes', 'count_changes',
      'retired_slugs', 'timeline_entries', 'idempotent_answers', 'webhook_deliveries', 'webhook_attempts',
      'app_clients', 'app_requests', 'shown_identities')
  loop
    execute format('create trigger %I after insert on %I for each row execute function refuse_while_moving()',
      name || '_moving_insert', name);
    execute format('create trigger %I after update on %I for each row %s execute function refuse_while_moving()',
      name || '_moving_update', name, is_noted);
    -- Notifications and notices are removed when they are old, whatever happens to their company.
    if name not in ('notifications', 'notices') then
      execute format('create trigger %I after delete on %I for each row %s execute function refuse_while_moving()',
        name || '_moving_delete', name, is_kept);
    end if;
  end loop;
end $$;

-- The company itself, and a sandbox that is added to it.
create function refuse_settings_while_moving() returns trigger language plpgsql as $$
declare
  state text := case tg_op when 'UPDATE' then old.moving else (select c.moving from companies c where c.id = new.sandbox_of) end;
begin
  if state is not null then
    raise exception 'Company % is being moved to another cell', coalesce(new.sandbox_of, new.id) using errcode = 'DW001';
  end if;
  return null;
end $$;
create trigger companies_moving_insert after insert on companies
  for each row when (new.sandbox_of is not null) execute function refuse_settings_while_moving();
create trigger companies_moving_update
  after update of name, time_zone, plan, rest_api, daily_calls, subscription, language, second_calendar, require_oidc, closed_at on companies
  for each row when (old.moving is not distinct from new.moving) execute function refuse_settings_while_moving();
