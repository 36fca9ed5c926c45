-- What the migrations add up to, for people to read: `npm run schema` writes it from the catalog of a new database.
-- Why things are as they are is explained in the migrations.

CREATE TABLE api_keys (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  kind text NOT NULL DEFAULT 'key'::text,
  app_host text,
  digest bytea NOT NULL,
  last_four text NOT NULL,
  access text NOT NULL,
  operations text[] NOT NULL,
  rights text[] NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_by bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  replaces bigint,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, created_by) REFERENCES users(company_id, id),
  FOREIGN KEY (company_id, replaces) REFERENCES api_keys(company_id, id) ON DELETE SET NULL (replaces),
  CHECK ((app_host IS NOT NULL) = (kind = 'app'::text)),
  CHECK (access = ANY (ARRAY['read'::text, 'write'::text])),
  CHECK (kind = ANY (ARRAY['key'::text, 'app'::text]))
);
ALTER TABLE api_keys ALTER COLUMN company_id SET (n_distinct=3);
CREATE UNIQUE INDEX api_keys_digest ON api_keys USING btree (digest);
CREATE INDEX api_keys_replaces ON api_keys USING btree (company_id, replaces) WHERE replaces IS NOT NULL;
CREATE TRIGGER api_keys_moving_delete AFTER DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER api_keys_moving_insert AFTER INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER api_keys_moving_update AFTER UPDATE ON api_keys FOR EACH ROW WHEN (NOT old.last_used_at IS DISTINCT FROM new.last_used_at) EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER api_keys_raise_version AFTER INSERT OR UPDATE OF name, access, operations, rights, expires_at, revoked_at ON api_keys FOR EACH ROW EXECUTE FUNCTION raise_company_version();

CREATE TABLE app_clients (
  company_id bigint NOT NULL DEFAULT 0,
  id text NOT NULL,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  address text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  granted_at timestamptz,
  expires_at timestamptz NOT NULL DEFAULT now() + '1 day'::interval,
  PRIMARY KEY (company_id, id),
  CHECK (company_id = 0)
);
ALTER TABLE app_clients ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX app_clients_age ON app_clients USING btree (GREATEST(expires_at, '-infinity'::timestamp with time zone));
CREATE INDEX app_clients_unused ON app_clients USING btree (company_id, address) WHERE granted_at IS NULL;

CREATE TABLE app_credentials (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  key_id bigint NOT NULL,
  kind text NOT NULL,
  digest bytea NOT NULL,
  client_id text NOT NULL,
  resource text NOT NULL,
  redirect_uri text,
  code_challenge text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, key_id) REFERENCES api_keys(company_id, id) ON DELETE CASCADE,
  CHECK ((kind = 'code'::text) = (redirect_uri IS NOT NULL AND code_challenge IS NOT NULL)),
  CHECK (kind = ANY (ARRAY['code'::text, 'access'::text, 'refresh'::text]))
);
ALTER TABLE app_credentials ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX app_credentials_age ON app_credentials USING btree (GREATEST(expires_at, '-infinity'::timestamp with time zone));
CREATE UNIQUE INDEX app_credentials_digest ON app_credentials USING btree (digest);
CREATE INDEX app_credentials_key ON app_credentials USING btree (company_id, key_id);
CREATE TRIGGER app_credentials_moving_delete AFTER DELETE ON app_credentials FOR EACH ROW WHEN (old.expires_at > now()) EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER app_credentials_moving_insert AFTER INSERT ON app_credentials FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER app_credentials_moving_update AFTER UPDATE ON app_credentials FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();

CREATE TABLE app_requests (
  company_id bigint NOT NULL DEFAULT 0,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  browser_digest bytea NOT NULL,
  client_id text NOT NULL,
  client_name text NOT NULL,
  client_host text NOT NULL,
  redirect_uri text NOT NULL,
  state text,
  code_challenge text NOT NULL,
  resource text NOT NULL,
  issuer text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL DEFAULT now() + '00:10:00'::interval,
  PRIMARY KEY (company_id, id)
);
ALTER TABLE app_requests ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX app_requests_age ON app_requests USING btree (GREATEST(expires_at, '-infinity'::timestamp with time zone));

CREATE TABLE audit_entries (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  created_at timestamptz NOT NULL DEFAULT now(),
  outcome text NOT NULL,
  operation text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  status integer NOT NULL,
  reason text NOT NULL,
  by_kind text NOT NULL,
  by_id bigint,
  by_name text NOT NULL,
  actor text NOT NULL,
  key_id bigint GENERATED ALWAYS AS (CASE WHEN by_kind = 'key'::text THEN by_id ELSE NULL::bigint END) STORED,
  target_type text,
  target_id text,
  target_name text,
  changes jsonb NOT NULL DEFAULT '{}'::jsonb,
  request_id text NOT NULL,
  count bigint NOT NULL DEFAULT 1,
  counted_hour timestamptz,
  credential text,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, key_id) REFERENCES api_keys(company_id, id),
  CHECK ((by_id IS NULL) = (by_kind = 'operator'::text)),
  CHECK (by_kind = ANY (ARRAY['key'::text, 'person'::text, 'operator'::text])),
  CHECK (outcome = ANY (ARRAY['denied'::text, 'allowed'::text]))
);
ALTER TABLE audit_entries ALTER COLUMN company_id SET (n_distinct=3), ALTER COLUMN outcome SET (n_distinct=20), ALTER COLUMN operation SET (n_distinct=20), ALTER COLUMN by_kind SET (n_distinct=20), ALTER COLUMN by_id SET (n_distinct=20), ALTER COLUMN target_id SET (n_distinct=20);
CREATE INDEX audit_entries_age ON audit_entries USING btree (GREATEST(created_at, '-infinity'::timestamp with time zone));
CREATE INDEX audit_entries_by_id ON audit_entries USING btree (company_id, by_id, created_at, id);
CREATE INDEX audit_entries_by_kind ON audit_entries USING btree (company_id, by_kind, created_at, id);
CREATE INDEX audit_entries_by_kind_and_id ON audit_entries USING btree (company_id, by_kind, by_id, created_at, id);
CREATE UNIQUE INDEX audit_entries_counted_hour ON audit_entries USING btree (company_id, credential, counted_hour) WHERE counted_hour IS NOT NULL;
CREATE INDEX audit_entries_created_at ON audit_entries USING btree (company_id, created_at, id);
CREATE INDEX audit_entries_operation ON audit_entries USING btree (company_id, operation, created_at, id);
CREATE INDEX audit_entries_outcome ON audit_entries USING btree (company_id, outcome, created_at, id);
CREATE INDEX audit_entries_target ON audit_entries USING btree (company_id, target_id, created_at, id);

CREATE TABLE calendar_entries (
  company_id bigint NOT NULL,
  calendar_id bigint NOT NULL,
  uid text NOT NULL,
  href text,
  addresses jsonb,
  version bigint NOT NULL DEFAULT 1,
  synced_version bigint NOT NULL DEFAULT 0,
  owed_since timestamptz NOT NULL DEFAULT now(),
  lease uuid,
  leased_until timestamptz,
  PRIMARY KEY (company_id, calendar_id, uid),
  FOREIGN KEY (company_id, calendar_id) REFERENCES calendars(company_id, id) ON DELETE CASCADE
);
ALTER TABLE calendar_entries ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX calendar_entries_uid ON calendar_entries USING btree (company_id, uid);
CREATE INDEX calendar_entries_unsynced ON calendar_entries USING btree (company_id, calendar_id) WHERE synced_version < version;
CREATE TRIGGER calendar_entries_moving_delete AFTER DELETE ON calendar_entries FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER calendar_entries_moving_insert AFTER INSERT ON calendar_entries FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER calendar_entries_moving_update AFTER UPDATE ON calendar_entries FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();

CREATE TABLE calendars (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id bigint NOT NULL,
  url text NOT NULL,
  username text NOT NULL,
  password bytea NOT NULL,
  state text NOT NULL DEFAULT 'connected'::text,
  failing_since timestamptz,
  last_error text,
  last_synced_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id),
  CHECK (state = ANY (ARRAY['connected'::text, 'failing'::text]))
);
ALTER TABLE calendars ALTER COLUMN company_id SET (n_distinct=3);
CREATE UNIQUE INDEX calendars_url ON calendars USING btree (company_id, url);
CREATE INDEX calendars_user ON calendars USING btree (company_id, user_id, id);
CREATE TRIGGER calendars_moving_delete AFTER DELETE ON calendars FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER calendars_moving_insert AFTER INSERT ON calendars FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER calendars_moving_update AFTER UPDATE ON calendars FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();

CREATE TABLE calls_by_day (
  company_id bigint NOT NULL,
  local_date date NOT NULL,
  calls bigint NOT NULL,
  last_granted bigint NOT NULL,
  allowance bigint,
  PRIMARY KEY (company_id, local_date),
  FOREIGN KEY (company_id) REFERENCES companies(id)
);
ALTER TABLE calls_by_day ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX calls_by_day_age ON calls_by_day USING btree (GREATEST(local_date, '-infinity'::date));

CREATE TABLE calls_by_hour (
  company_id bigint NOT NULL,
  local_date date NOT NULL,
  hour smallint NOT NULL,
  calls bigint NOT NULL,
  PRIMARY KEY (company_id, local_date, hour),
  FOREIGN KEY (company_id) REFERENCES companies(id)
);
ALTER TABLE calls_by_hour ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX calls_by_hour_age ON calls_by_hour USING btree (GREATEST(local_date, '-infinity'::date));

CREATE TABLE calls_by_key (
  company_id bigint NOT NULL,
  local_date date NOT NULL,
  key_id bigint NOT NULL,
  operation text NOT NULL,
  status smallint NOT NULL,
  calls bigint NOT NULL,
  PRIMARY KEY (company_id, local_date, key_id, operation, status),
  FOREIGN KEY (company_id, key_id) REFERENCES api_keys(company_id, id)
);
ALTER TABLE calls_by_key ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX calls_by_key_age ON calls_by_key USING btree (GREATEST(local_date, '-infinity'::date));

CREATE TABLE changes (
  company_id bigint NOT NULL,
  tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL DEFAULT now(),
  kind text NOT NULL,
  change text NOT NULL,
  record_id text NOT NULL,
  project_id text NOT NULL,
  parent_id text,
  actor text DEFAULT NULLIF(current_setting('diwan.actor'::text, true), ''::text),
  key_id bigint DEFAULT NULLIF(current_setting('diwan.key'::text, true), ''::text)::bigint,
  fields text[],
  left_project_id text,
  left_parent_id text,
  traceparent text DEFAULT NULLIF(current_setting('diwan.trace'::text, true), ''::text),
  PRIMARY KEY (company_id, tx, id)
);
ALTER TABLE changes ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX changes_age ON changes USING btree (GREATEST(at, '-infinity'::timestamp with time zone));
CREATE INDEX changes_news ON changes USING btree (tx, company_id);

CREATE TABLE comment_attachments (
  company_id bigint NOT NULL,
  comment_id bigint NOT NULL,
  "position" smallint NOT NULL,
  file_id bigint,
  name text NOT NULL,
  PRIMARY KEY (company_id, comment_id, "position"),
  FOREIGN KEY (company_id, comment_id) REFERENCES comments(company_id, id) ON DELETE CASCADE,
  FOREIGN KEY (company_id, file_id) REFERENCES files(company_id, id) ON DELETE SET NULL (file_id)
);
ALTER TABLE comment_attachments ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX comment_attachments_file ON comment_attachments USING btree (company_id, file_id) WHERE file_id IS NOT NULL;
CREATE TRIGGER comment_attachments_moving_delete AFTER DELETE ON comment_attachments FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER comment_attachments_moving_insert AFTER INSERT ON comment_attachments FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER comment_attachments_moving_update AFTER UPDATE ON comment_attachments FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER comment_attachments_record_added AFTER INSERT ON comment_attachments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_attachment_changes();
CREATE TRIGGER comment_attachments_record_removed AFTER DELETE ON comment_attachments REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_attachment_changes();
CREATE TRIGGER comment_attachments_set_updated_at_added AFTER INSERT ON comment_attachments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION set_comment_updated_at();
CREATE TRIGGER comment_attachments_set_updated_at_removed AFTER DELETE ON comment_attachments REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION set_comment_updated_at();

CREATE TABLE comments (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  task_list_id bigint,
  task_id bigint,
  discussion_id bigint,
  body text NOT NULL,
  author_id bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, author_id) REFERENCES users(company_id, id),
  FOREIGN KEY (company_id, discussion_id) REFERENCES discussions(company_id, id) ON DELETE CASCADE,
  FOREIGN KEY (company_id, task_id) REFERENCES tasks(company_id, id) ON DELETE CASCADE,
  FOREIGN KEY (company_id, task_list_id) REFERENCES task_lists(company_id, id) ON DELETE CASCADE,
  CHECK (num_nonnulls(task_list_id, task_id, discussion_id) = 1)
);
ALTER TABLE comments ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX comments_on_discussions ON comments USING btree (company_id, discussion_id, id) WHERE discussion_id IS NOT NULL;
CREATE INDEX comments_on_task_lists ON comments USING btree (company_id, task_list_id, id) WHERE task_list_id IS NOT NULL;
CREATE INDEX comments_on_tasks ON comments USING btree (company_id, task_id, id) WHERE task_id IS NOT NULL;
CREATE TRIGGER comments_count_added AFTER INSERT ON comments FOR EACH ROW WHEN (new.discussion_id IS NOT NULL) EXECUTE FUNCTION count_replies();
CREATE TRIGGER comments_count_removed AFTER DELETE ON comments FOR EACH ROW WHEN (old.discussion_id IS NOT NULL) EXECUTE FUNCTION count_replies();
CREATE TRIGGER comments_moving_delete AFTER DELETE ON comments FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER comments_moving_insert AFTER INSERT ON comments FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER comments_moving_update AFTER UPDATE ON comments FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER comments_record_changed AFTER UPDATE ON comments FOR EACH ROW WHEN (old.body IS DISTINCT FROM new.body) EXECUTE FUNCTION record_comment_change();
CREATE TRIGGER comments_record_created AFTER INSERT ON comments FOR EACH ROW EXECUTE FUNCTION record_comment_change();
CREATE TRIGGER comments_set_updated_at BEFORE UPDATE ON comments FOR EACH ROW WHEN (old.body IS DISTINCT FROM new.body) EXECUTE FUNCTION set_updated_at();

CREATE TABLE companies (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  time_zone text NOT NULL,
  plan text NOT NULL,
  rest_api boolean NOT NULL DEFAULT false,
  daily_calls integer,
  subscription text NOT NULL DEFAULT 'active'::text,
  language text NOT NULL DEFAULT 'en'::text,
  second_calendar text,
  require_oidc boolean NOT NULL DEFAULT false,
  version bigint NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  closed_at timestamptz,
  sandbox_of bigint,
  moving text,
  moved_to integer,
  used_at timestamptz NOT NULL DEFAULT now(),
  search_name text COLLATE "C" NOT NULL DEFAULT ''::text,
  PRIMARY KEY (id),
  FOREIGN KEY (sandbox_of) REFERENCES companies(id),
  CHECK (daily_calls >= 0),
  CHECK (language = ANY (ARRAY['en'::text, 'ar'::text])),
  CHECK (moving = ANY (ARRAY['leaving'::text, 'arriving'::text, 'left'::text])),
  CHECK (plan = ANY (ARRAY['free'::text, 'pro'::text, 'advanced'::text, 'productive'::text, 'enterprise'::text])),
  CHECK (second_calendar = 'islamic-umalqura'::text),
  CHECK (subscription = ANY (ARRAY['active'::text, 'read_only'::text]))
);
CREATE UNIQUE INDEX companies_open_sandbox ON companies USING btree (sandbox_of) WHERE closed_at IS NULL;
CREATE INDEX companies_sandbox ON companies USING btree (sandbox_of) WHERE sandbox_of IS NOT NULL;
CREATE INDEX companies_search_words ON companies USING gin (search_name gin_trgm_ops) WITH (gin_pending_list_limit='256');
CREATE TRIGGER companies_moving_insert AFTER INSERT ON companies FOR EACH ROW WHEN (new.sandbox_of IS NOT NULL) EXECUTE FUNCTION refuse_settings_while_moving();
CREATE TRIGGER companies_moving_update AFTER UPDATE OF name, time_zone, plan, rest_api, daily_calls, subscription, language, second_calendar, require_oidc, closed_at ON companies FOR EACH ROW WHEN (NOT old.moving IS DISTINCT FROM new.moving) EXECUTE FUNCTION refuse_settings_while_moving();
CREATE TRIGGER companies_raise_version BEFORE UPDATE OF name, time_zone, plan, rest_api, daily_calls, subscription, closed_at, moving ON companies FOR EACH ROW EXECUTE FUNCTION raise_own_version();
CREATE TRIGGER companies_set_search_name BEFORE INSERT OR UPDATE OF name ON companies FOR EACH ROW EXECUTE FUNCTION set_company_search_name();

CREATE TABLE console_sessions (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  token_id bigint,
  link_id bigint,
  operator_digest bytea,
  digest bytea NOT NULL,
  user_agent text,
  address text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL DEFAULT now() + '12:00:00'::interval,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, link_id) REFERENCES sign_in_links(company_id, id) ON DELETE CASCADE,
  FOREIGN KEY (company_id, token_id) REFERENCES personal_tokens(company_id, id) ON DELETE CASCADE,
  CHECK ((company_id = 0) = (operator_digest IS NOT NULL)),
  CHECK (num_nonnulls(token_id, link_id, operator_digest) = 1)
);
ALTER TABLE console_sessions ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX console_sessions_age ON console_sessions USING btree (GREATEST(expires_at, '-infinity'::timestamp with time zone));
CREATE UNIQUE INDEX console_sessions_digest ON console_sessions USING btree (digest);
CREATE INDEX console_sessions_link ON console_sessions USING btree (company_id, link_id, id);
CREATE INDEX console_sessions_token ON console_sessions USING btree (company_id, token_id, id);
CREATE TRIGGER console_sessions_moving_delete AFTER DELETE ON console_sessions FOR EACH ROW WHEN (old.expires_at > now()) EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER console_sessions_moving_insert AFTER INSERT ON console_sessions FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER console_sessions_moving_update AFTER UPDATE ON console_sessions FOR EACH ROW WHEN (NOT old.last_used_at IS DISTINCT FROM new.last_used_at) EXECUTE FUNCTION refuse_while_moving();

CREATE TABLE count_changes (
  company_id bigint NOT NULL,
  project_id bigint NOT NULL,
  task_list_id bigint NOT NULL DEFAULT 0,
  discussion_id bigint NOT NULL DEFAULT 0,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  task_lists integer NOT NULL DEFAULT 0,
  tasks integer NOT NULL DEFAULT 0,
  completed_tasks integer NOT NULL DEFAULT 0,
  replies integer NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, project_id, task_list_id, discussion_id, id)
) WITH (autovacuum_vacuum_threshold=1000, autovacuum_vacuum_scale_factor=0, vacuum_truncate=off);
ALTER TABLE count_changes ALTER COLUMN company_id SET (n_distinct=3);

CREATE TABLE denial_counts (
  company_id bigint NOT NULL,
  credential text NOT NULL,
  hour timestamptz NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (company_id, credential)
);
ALTER TABLE denial_counts ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX denial_counts_age ON denial_counts USING btree (GREATEST(hour, '-infinity'::timestamp with time zone));

CREATE TABLE disconnected_calendar_entries (
  company_id bigint NOT NULL,
  user_id bigint NOT NULL,
  url text NOT NULL,
  uid text NOT NULL,
  href text,
  addresses jsonb,
  PRIMARY KEY (company_id, user_id, url, uid),
  FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id)
);
ALTER TABLE disconnected_calendar_entries ALTER COLUMN company_id SET (n_distinct=3);
CREATE TRIGGER disconnected_calendar_entries_moving_delete AFTER DELETE ON disconnected_calendar_entries FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER disconnected_calendar_entries_moving_insert AFTER INSERT ON disconnected_calendar_entries FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER disconnected_calendar_entries_moving_update AFTER UPDATE ON disconnected_calendar_entries FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();

CREATE TABLE discussion_subscriptions (
  company_id bigint NOT NULL,
  discussion_id bigint NOT NULL,
  user_id bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, discussion_id, user_id),
  FOREIGN KEY (company_id, discussion_id) REFERENCES discussions(company_id, id) ON DELETE CASCADE,
  FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id)
);
ALTER TABLE discussion_subscriptions ALTER COLUMN company_id SET (n_distinct=3);
CREATE TRIGGER discussion_subscriptions_moving_delete AFTER DELETE ON discussion_subscriptions FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER discussion_subscriptions_moving_insert AFTER INSERT ON discussion_subscriptions FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER discussion_subscriptions_moving_update AFTER UPDATE ON discussion_subscriptions FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();

CREATE TABLE discussions (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  project_id bigint NOT NULL,
  ref text NOT NULL,
  slug text NOT NULL,
  title text NOT NULL,
  body text,
  category text,
  external_id text,
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  author_id bigint NOT NULL,
  counted_replies bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  deleted_by bigint,
  search_name text COLLATE "C" GENERATED ALWAYS AS ("left"(' '::text || search_name(title), 500) || ' '::text) STORED,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, author_id) REFERENCES users(company_id, id),
  FOREIGN KEY (company_id, deleted_by) REFERENCES users(company_id, id),
  FOREIGN KEY (company_id, project_id) REFERENCES projects(company_id, id) ON DELETE CASCADE
) WITH (fillfactor=70);
ALTER TABLE discussions ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX discussions_deleted ON discussions USING btree (company_id, id) WHERE deleted_at IS NOT NULL;
CREATE UNIQUE INDEX discussions_external_id ON discussions USING btree (company_id, external_id);
CREATE INDEX discussions_order ON discussions USING btree (company_id, project_id, id);
CREATE UNIQUE INDEX discussions_ref ON discussions USING btree (company_id, ref);
CREATE INDEX discussions_search_beginning ON discussions USING btree (company_id, search_name);
CREATE INDEX discussions_search_words ON discussions USING gin (search_name gin_trgm_ops, (company_id::text)) WITH (gin_pending_list_limit='256');
CREATE UNIQUE INDEX discussions_slug ON discussions USING btree (company_id, slug, (project_id + 0));
CREATE TRIGGER discussions_moving_delete AFTER DELETE ON discussions FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER discussions_moving_insert AFTER INSERT ON discussions FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER discussions_moving_update AFTER UPDATE ON discussions FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER discussions_record_changed AFTER UPDATE ON discussions FOR EACH ROW WHEN ((old.title IS DISTINCT FROM new.title OR old.body IS DISTINCT FROM new.body OR old.category IS DISTINCT FROM new.category OR old.external_id IS DISTINCT FROM new.external_id OR old.metadata IS DISTINCT FROM new.metadata OR old.deleted_at IS DISTINCT FROM new.deleted_at) AND current_setting('diwan.frees_external_ids'::text, true) IS DISTINCT FROM 'yes'::text) EXECUTE FUNCTION record_discussion_change();
CREATE TRIGGER discussions_record_created AFTER INSERT ON discussions FOR EACH ROW EXECUTE FUNCTION record_discussion_change();
CREATE TRIGGER discussions_retire_slug AFTER UPDATE ON discussions FOR EACH ROW WHEN (old.slug <> new.slug) EXECUTE FUNCTION retire_slug('discussion', 'project_id');

CREATE TABLE event_attendees (
  company_id bigint NOT NULL,
  event_id bigint NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (company_id, event_id, user_id),
  FOREIGN KEY (company_id, event_id) REFERENCES events(company_id, id) ON DELETE CASCADE,
  FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id)
);
ALTER TABLE event_attendees ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX event_attendees_user ON event_attendees USING btree (company_id, user_id, event_id);
CREATE TRIGGER event_attendees_moving_delete AFTER DELETE ON event_attendees FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER event_attendees_moving_insert AFTER INSERT ON event_attendees FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER event_attendees_moving_update AFTER UPDATE ON event_attendees FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();

CREATE TABLE events (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  uid text NOT NULL,
  sequence integer NOT NULL DEFAULT 0,
  name text NOT NULL,
  description text,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  all_day boolean NOT NULL,
  starts_clock text,
  ends_clock text,
  meeting_url text,
  organizer_id bigint NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id) REFERENCES companies(id),
  FOREIGN KEY (company_id, organizer_id) REFERENCES users(company_id, id),
  CHECK (all_day = (starts_clock IS NOT NULL) AND all_day = (ends_clock IS NOT NULL)),
  CHECK (ends_at >= starts_at)
);
ALTER TABLE events ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX events_order ON events USING btree (company_id, starts_at, id);
CREATE INDEX events_organizer ON events USING btree (company_id, organizer_id, starts_at, id);
CREATE UNIQUE INDEX events_uid ON events USING btree (company_id, uid);
CREATE TRIGGER events_moving_delete AFTER DELETE ON events FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER events_moving_insert AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER events_moving_update AFTER UPDATE ON events FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();

CREATE TABLE files (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  project_id bigint NOT NULL,
  folder_id bigint,
  ref text NOT NULL,
  name text NOT NULL,
  content_type text,
  size_bytes bigint,
  digest text,
  external_url text,
  scan_state text NOT NULL,
  scan_engine text,
  scan_finding text,
  scan_message text,
  scanned_at timestamptz,
  uploaded_by bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  search_name text COLLATE "C" GENERATED ALWAYS AS ("left"(' '::text || search_name(name), 500) || ' '::text) STORED,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, project_id) REFERENCES projects(company_id, id) ON DELETE CASCADE,
  FOREIGN KEY (company_id, project_id, folder_id) REFERENCES folders(company_id, project_id, id) ON DELETE CASCADE,
  FOREIGN KEY (company_id, uploaded_by) REFERENCES users(company_id, id),
  CHECK ((digest IS NULL) <> (external_url IS NULL)),
  CHECK ((digest IS NULL) = (scan_state = 'skipped'::text)),
  CHECK ((scan_message IS NULL) = (scan_state = ANY (ARRAY['pending'::text, 'clean'::text, 'skipped'::text]))),
  CHECK (scan_state = ANY (ARRAY['pending'::text, 'clean'::text, 'skipped'::text, 'infected'::text, 'failed'::text]))
);
ALTER TABLE files ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX files_digest ON files USING btree (company_id, digest) WHERE digest IS NOT NULL;
CREATE INDEX files_order ON files USING btree (company_id, project_id, folder_id, name COLLATE "C", id);
CREATE UNIQUE INDEX files_ref ON files USING btree (company_id, ref);
CREATE INDEX files_scan_state ON files USING btree (company_id, scan_state, id);
CREATE INDEX files_search_beginning ON files USING btree (company_id, search_name);
CREATE INDEX files_search_words ON files USING gin (search_name gin_trgm_ops, (company_id::text)) WITH (gin_pending_list_limit='256');
CREATE TRIGGER files_moving_delete AFTER DELETE ON files FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER files_moving_insert AFTER INSERT ON files FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER files_moving_update AFTER UPDATE ON files FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER files_record_changed AFTER UPDATE ON files FOR EACH ROW WHEN (old.scan_state IS DISTINCT FROM new.scan_state OR old.scan_message IS DISTINCT FROM new.scan_message) EXECUTE FUNCTION record_file_change();
CREATE TRIGGER files_record_created AFTER INSERT ON files FOR EACH ROW EXECUTE FUNCTION record_file_change();
CREATE TRIGGER files_record_deleted AFTER DELETE ON files REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION record_deleted_files();

CREATE TABLE first_link (
  only_row boolean NOT NULL DEFAULT true,
  digest bytea,
  expires_at timestamptz NOT NULL DEFAULT now() + '00:10:00'::interval,
  PRIMARY KEY (only_row),
  CHECK (only_row)
);

CREATE TABLE folders (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  project_id bigint NOT NULL,
  parent_folder_id bigint,
  name text NOT NULL,
  description text,
  created_by bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  search_name text COLLATE "C" GENERATED ALWAYS AS ("left"(' '::text || search_name(name), 500) || ' '::text) STORED,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, project_id, id),
  FOREIGN KEY (company_id, created_by) REFERENCES users(company_id, id),
  FOREIGN KEY (company_id, project_id) REFERENCES projects(company_id, id) ON DELETE CASCADE,
  FOREIGN KEY (company_id, project_id, parent_folder_id) REFERENCES folders(company_id, project_id, id) ON DELETE CASCADE
);
ALTER TABLE folders ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX folders_deleted ON folders USING btree (company_id, id) WHERE deleted_at IS NOT NULL;
CREATE UNIQUE INDEX folders_name ON folders USING btree (company_id, project_id, parent_folder_id, name, COALESCE(deleted_at, 'infinity'::timestamp with time zone)) NULLS NOT DISTINCT;
CREATE INDEX folders_order ON folders USING btree (company_id, project_id, parent_folder_id, name COLLATE "C", id);
CREATE INDEX folders_search_beginning ON folders USING btree (company_id, search_name);
CREATE INDEX folders_search_words ON folders USING gin (search_name gin_trgm_ops, (company_id::text)) WITH (gin_pending_list_limit='256');
CREATE TRIGGER folders_moving_delete AFTER DELETE ON folders FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER folders_moving_insert AFTER INSERT ON folders FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER folders_moving_update AFTER UPDATE ON folders FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER folders_record_changed AFTER UPDATE ON folders FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name OR old.description IS DISTINCT FROM new.description OR old.parent_folder_id IS DISTINCT FROM new.parent_folder_id OR old.deleted_at IS DISTINCT FROM new.deleted_at) EXECUTE FUNCTION record_folder_change();
CREATE TRIGGER folders_record_created AFTER INSERT ON folders FOR EACH ROW EXECUTE FUNCTION record_folder_change();

CREATE TABLE idempotent_answers (
  company_id bigint NOT NULL,
  repeater text NOT NULL,
  name text NOT NULL,
  request_digest bytea NOT NULL,
  status smallint NOT NULL,
  answer text NOT NULL,
  ignored_fields text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, repeater, name),
  FOREIGN KEY (company_id) REFERENCES companies(id)
);
ALTER TABLE idempotent_answers ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX idempotent_answers_age ON idempotent_answers USING btree (GREATEST(created_at, '-infinity'::timestamp with time zone));

CREATE TABLE invitations (
  company_id bigint NOT NULL,
  user_id bigint NOT NULL,
  way text NOT NULL,
  digest bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  code_to_mail bytea,
  PRIMARY KEY (company_id, user_id, way),
  FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id),
  CHECK (way = ANY (ARRAY['mailed'::text, 'shown'::text]))
);
ALTER TABLE invitations ALTER COLUMN company_id SET (n_distinct=3);
CREATE UNIQUE INDEX invitations_digest ON invitations USING btree (digest);
CREATE TRIGGER invitations_moving_delete AFTER DELETE ON invitations FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER invitations_moving_insert AFTER INSERT ON invitations FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER invitations_moving_update AFTER UPDATE ON invitations FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();

CREATE TABLE migrations (
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  oldest_release text,
  PRIMARY KEY (name)
);

CREATE TABLE notices (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  created_at timestamptz NOT NULL DEFAULT now(),
  kind text NOT NULL,
  project_id bigint,
  actor_id bigint NOT NULL,
  subject_type text NOT NULL,
  subject_id text NOT NULL,
  subject_title text NOT NULL,
  recipients bigint[],
  event jsonb,
  event_before jsonb,
  job_id uuid NOT NULL DEFAULT gen_random_uuid(),
  told_up_to bigint NOT NULL DEFAULT 0,
  told_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, actor_id) REFERENCES users(company_id, id),
  FOREIGN KEY (company_id, project_id) REFERENCES projects(company_id, id) ON DELETE CASCADE
);
ALTER TABLE notices ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX notices_age ON notices USING btree (GREATEST(created_at, '-infinity'::timestamp with time zone));
CREATE INDEX notices_subject ON notices USING btree (company_id, subject_type, subject_id, id);
CREATE INDEX notices_untold ON notices USING btree (company_id, subject_type, subject_id, id) WHERE told_at IS NULL;
CREATE TRIGGER notices_moving_insert AFTER INSERT ON notices FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER notices_moving_update AFTER UPDATE ON notices FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();

CREATE TABLE notifications (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  created_at timestamptz NOT NULL DEFAULT now(),
  notice_id bigint NOT NULL,
  user_id bigint NOT NULL,
  mail_id uuid NOT NULL DEFAULT gen_random_uuid(),
  emailed_at timestamptz,
  read_at timestamptz,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, notice_id, user_id),
  FOREIGN KEY (company_id, notice_id) REFERENCES notices(company_id, id) ON DELETE CASCADE,
  FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id)
);
ALTER TABLE notifications ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX notifications_age ON notifications USING btree (GREATEST(created_at, '-infinity'::timestamp with time zone));
CREATE INDEX notifications_unread ON notifications USING btree (company_id, user_id, id) WHERE read_at IS NULL;
CREATE INDEX notifications_user ON notifications USING btree (company_id, user_id, id);
CREATE TRIGGER notifications_moving_insert AFTER INSERT ON notifications FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER notifications_moving_update AFTER UPDATE ON notifications FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();

CREATE TABLE personal_tokens (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id bigint NOT NULL,
  name text NOT NULL,
  digest bytea NOT NULL,
  last_four text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id)
);
ALTER TABLE personal_tokens ALTER COLUMN company_id SET (n_distinct=3);
CREATE UNIQUE INDEX personal_tokens_digest ON personal_tokens USING btree (digest);
CREATE INDEX personal_tokens_user ON personal_tokens USING btree (company_id, user_id, id);
CREATE TRIGGER personal_tokens_moving_delete AFTER DELETE ON personal_tokens FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER personal_tokens_moving_insert AFTER INSERT ON personal_tokens FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER personal_tokens_moving_update AFTER UPDATE ON personal_tokens FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER personal_tokens_note_first AFTER INSERT ON personal_tokens FOR EACH ROW EXECUTE FUNCTION note_first_token();

CREATE TABLE project_members (
  company_id bigint NOT NULL,
  project_id bigint NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (company_id, project_id, user_id),
  FOREIGN KEY (company_id, project_id) REFERENCES projects(company_id, id) ON DELETE CASCADE,
  FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id)
);
ALTER TABLE project_members ALTER COLUMN company_id SET (n_distinct=3);
CREATE TRIGGER project_members_moving_delete AFTER DELETE ON project_members FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER project_members_moving_insert AFTER INSERT ON project_members FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER project_members_moving_update AFTER UPDATE ON project_members FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();

CREATE TABLE projects (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  ref text NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  description text,
  is_public boolean NOT NULL,
  archived boolean NOT NULL DEFAULT false,
  start_date date,
  end_date date,
  external_id text,
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  counted_task_lists bigint NOT NULL DEFAULT 0,
  counted_tasks bigint NOT NULL DEFAULT 0,
  counted_completed_tasks bigint NOT NULL DEFAULT 0,
  created_by bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  deleted_by bigint,
  search_name text COLLATE "C" GENERATED ALWAYS AS ("left"(' '::text || search_name(name), 500) || ' '::text) STORED,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id) REFERENCES companies(id),
  FOREIGN KEY (company_id, created_by) REFERENCES users(company_id, id),
  FOREIGN KEY (company_id, deleted_by) REFERENCES users(company_id, id)
) WITH (fillfactor=70);
ALTER TABLE projects ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX projects_archived ON projects USING btree (company_id, id) WHERE archived;
CREATE INDEX projects_deleted ON projects USING btree (company_id, id) WHERE deleted_at IS NOT NULL;
CREATE UNIQUE INDEX projects_external_id ON projects USING btree (company_id, external_id);
CREATE UNIQUE INDEX projects_ref ON projects USING btree (company_id, ref);
CREATE INDEX projects_search_beginning ON projects USING btree (company_id, search_name);
CREATE INDEX projects_search_words ON projects USING gin (search_name gin_trgm_ops, (company_id::text)) WITH (gin_pending_list_limit='256');
CREATE UNIQUE INDEX projects_slug ON projects USING btree (company_id, slug);
CREATE TRIGGER projects_moving_delete AFTER DELETE ON projects FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER projects_moving_insert AFTER INSERT ON projects FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER projects_moving_update AFTER UPDATE ON projects FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER projects_record_changed AFTER UPDATE ON projects FOR EACH ROW WHEN ((old.name IS DISTINCT FROM new.name OR old.description IS DISTINCT FROM new.description OR old.is_public IS DISTINCT FROM new.is_public OR old.start_date IS DISTINCT FROM new.start_date OR old.end_date IS DISTINCT FROM new.end_date OR old.external_id IS DISTINCT FROM new.external_id OR old.metadata IS DISTINCT FROM new.metadata OR old.archived IS DISTINCT FROM new.archived OR old.deleted_at IS DISTINCT FROM new.deleted_at) AND current_setting('diwan.frees_external_ids'::text, true) IS DISTINCT FROM 'yes'::text) EXECUTE FUNCTION record_project_change();
CREATE TRIGGER projects_record_created AFTER INSERT ON projects FOR EACH ROW EXECUTE FUNCTION record_project_change();
CREATE TRIGGER projects_retire_slug AFTER UPDATE ON projects FOR EACH ROW WHEN (old.slug <> new.slug) EXECUTE FUNCTION retire_slug('project');
CREATE TRIGGER projects_set_updated_at BEFORE UPDATE ON projects FOR EACH ROW WHEN ((old.name IS DISTINCT FROM new.name OR old.description IS DISTINCT FROM new.description OR old.is_public IS DISTINCT FROM new.is_public OR old.start_date IS DISTINCT FROM new.start_date OR old.end_date IS DISTINCT FROM new.end_date OR old.external_id IS DISTINCT FROM new.external_id OR old.metadata IS DISTINCT FROM new.metadata OR old.archived IS DISTINCT FROM new.archived) AND current_setting('diwan.frees_external_ids'::text, true) IS DISTINCT FROM 'yes'::text) EXECUTE FUNCTION set_updated_at();

CREATE TABLE requests (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL,
  key_id bigint NOT NULL,
  request_id text NOT NULL,
  trace_id text,
  method text NOT NULL,
  path text NOT NULL,
  operation text,
  status smallint NOT NULL,
  code text,
  message text,
  ms double precision NOT NULL,
  PRIMARY KEY (company_id, at, id)
);
ALTER TABLE requests ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX requests_age ON requests USING btree (GREATEST(at, '-infinity'::timestamp with time zone));

CREATE TABLE retired_slugs (
  company_id bigint NOT NULL,
  kind text NOT NULL,
  parent_id bigint NOT NULL,
  slug text NOT NULL,
  record_id bigint NOT NULL,
  PRIMARY KEY (company_id, kind, parent_id, slug),
  FOREIGN KEY (company_id) REFERENCES companies(id)
);
ALTER TABLE retired_slugs ALTER COLUMN company_id SET (n_distinct=3);

CREATE TABLE server_secret_mark (
  only_row boolean NOT NULL DEFAULT true,
  salt text NOT NULL,
  fingerprint text NOT NULL,
  PRIMARY KEY (only_row),
  CHECK (only_row)
);

CREATE TABLE shown_identities (
  company_id bigint NOT NULL DEFAULT 0,
  digest bytea NOT NULL,
  state_digest bytea NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  email text,
  email_verified boolean NOT NULL,
  used_at timestamptz,
  expires_at timestamptz NOT NULL DEFAULT now() + '00:10:00'::interval,
  PRIMARY KEY (digest),
  UNIQUE (company_id, state_digest)
);
ALTER TABLE shown_identities ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX shown_identities_age ON shown_identities USING btree (GREATEST(expires_at, '-infinity'::timestamp with time zone));

CREATE TABLE sign_in_links (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id bigint NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  email text,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users(company_id, id)
);
ALTER TABLE sign_in_links ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX sign_in_links_any_subject ON sign_in_links USING btree (issuer, subject);
CREATE UNIQUE INDEX sign_in_links_person ON sign_in_links USING btree (company_id, user_id, issuer);
CREATE UNIQUE INDEX sign_in_links_subject ON sign_in_links USING btree (company_id, issuer, subject);
CREATE TRIGGER sign_in_links_moving_delete AFTER DELETE ON sign_in_links FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER sign_in_links_moving_insert AFTER INSERT ON sign_in_links FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER sign_in_links_moving_update AFTER UPDATE ON sign_in_links FOR EACH ROW WHEN (NOT old.last_used_at IS DISTINCT FROM new.last_used_at) EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER sign_in_links_note_first AFTER INSERT ON sign_in_links FOR EACH ROW EXECUTE FUNCTION note_first_token();

CREATE TABLE task_lists (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  project_id bigint NOT NULL,
  ref text NOT NULL,
  slug text NOT NULL,
  title text NOT NULL,
  notes text,
  priority text,
  external_id text,
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  counted_tasks bigint NOT NULL DEFAULT 0,
  counted_completed_tasks bigint NOT NULL DEFAULT 0,
  created_by bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  search_name text COLLATE "C" GENERATED ALWAYS AS ("left"(' '::text || search_name(title), 500) || ' '::text) STORED,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, created_by) REFERENCES users(company_id, id),
  FOREIGN KEY (company_id, project_id) REFERENCES projects(company_id, id) ON DELETE CASCADE,
  CHECK (priority = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'urgent'::text]))
) WITH (fillfactor=70);
ALTER TABLE task_lists ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX task_lists_deleted ON task_lists USING btree (company_id, id) WHERE deleted_at IS NOT NULL;
CREATE UNIQUE INDEX task_lists_external_id ON task_lists USING btree (company_id, external_id);
CREATE UNIQUE INDEX task_lists_ref ON task_lists USING btree (company_id, ref);
CREATE INDEX task_lists_search_beginning ON task_lists USING btree (company_id, search_name);
CREATE INDEX task_lists_search_words ON task_lists USING gin (search_name gin_trgm_ops, (company_id::text)) WITH (gin_pending_list_limit='256');
CREATE UNIQUE INDEX task_lists_slug ON task_lists USING btree (company_id, slug, (project_id + 0));
CREATE TRIGGER task_lists_count_added AFTER INSERT ON task_lists REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_task_lists();
CREATE TRIGGER task_lists_count_removed AFTER DELETE ON task_lists REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_task_lists();
CREATE TRIGGER task_lists_moving_delete AFTER DELETE ON task_lists FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER task_lists_moving_insert AFTER INSERT ON task_lists FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER task_lists_moving_update AFTER UPDATE ON task_lists FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER task_lists_record_changed AFTER UPDATE ON task_lists FOR EACH ROW WHEN ((old.title IS DISTINCT FROM new.title OR old.notes IS DISTINCT FROM new.notes OR old.priority IS DISTINCT FROM new.priority OR old.external_id IS DISTINCT FROM new.external_id OR old.metadata IS DISTINCT FROM new.metadata OR old.deleted_at IS DISTINCT FROM new.deleted_at) AND current_setting('diwan.frees_external_ids'::text, true) IS DISTINCT FROM 'yes'::text) EXECUTE FUNCTION record_task_list_change();
CREATE TRIGGER task_lists_record_created AFTER INSERT ON task_lists FOR EACH ROW EXECUTE FUNCTION record_task_list_change();
CREATE TRIGGER task_lists_retire_slug AFTER UPDATE ON task_lists FOR EACH ROW WHEN (old.slug <> new.slug AND new.deleted_at IS NULL) EXECUTE FUNCTION retire_slug('task_list', 'project_id');
CREATE TRIGGER task_lists_set_updated_at BEFORE UPDATE ON task_lists FOR EACH ROW WHEN ((old.title IS DISTINCT FROM new.title OR old.notes IS DISTINCT FROM new.notes OR old.priority IS DISTINCT FROM new.priority OR old.external_id IS DISTINCT FROM new.external_id OR old.metadata IS DISTINCT FROM new.metadata) AND current_setting('diwan.frees_external_ids'::text, true) IS DISTINCT FROM 'yes'::text) EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER task_lists_subtract_deleted AFTER UPDATE ON task_lists FOR EACH ROW WHEN (old.deleted_at IS NULL AND new.deleted_at IS NOT NULL) EXECUTE FUNCTION subtract_deleted_list();

CREATE TABLE tasks (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  project_id bigint NOT NULL,
  task_list_id bigint NOT NULL,
  ref text NOT NULL,
  slug text NOT NULL,
  title text NOT NULL,
  notes text,
  due_at date,
  completed_at timestamptz,
  time_spent_minutes integer,
  external_id text,
  assignee_id bigint,
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  created_by bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  completed boolean NOT NULL GENERATED ALWAYS AS (completed_at IS NOT NULL) STORED,
  search_name text COLLATE "C" GENERATED ALWAYS AS ("left"(' '::text || search_name(title), 500) || ' '::text) STORED,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, assignee_id) REFERENCES users(company_id, id),
  FOREIGN KEY (company_id, created_by) REFERENCES users(company_id, id),
  FOREIGN KEY (company_id, project_id, task_list_id) REFERENCES task_lists(company_id, project_id, id) ON DELETE CASCADE
);
ALTER TABLE tasks ALTER COLUMN company_id SET (n_distinct=3), ALTER COLUMN assignee_id SET (n_distinct=1000);
CREATE INDEX tasks_completed ON tasks USING btree (company_id, task_list_id, completed_at) WHERE completed_at IS NOT NULL;
CREATE INDEX tasks_due ON tasks USING btree (company_id, completed, due_at, id) INCLUDE (project_id, task_list_id, updated_at);
CREATE UNIQUE INDEX tasks_external_id ON tasks USING btree (company_id, external_id);
CREATE INDEX tasks_metadata ON tasks USING gin (metadata jsonb_path_ops, (company_id + 0), (project_id + 0)) WITH (gin_pending_list_limit='256') WHERE metadata <> '{}'::jsonb;
CREATE INDEX tasks_of_assignee ON tasks USING btree (company_id, assignee_id, completed, due_at, id) INCLUDE (project_id, task_list_id, updated_at);
CREATE INDEX tasks_of_project ON tasks USING btree (company_id, project_id, id);
CREATE INDEX tasks_of_project_due ON tasks USING btree (company_id, project_id, completed, due_at, id) INCLUDE (task_list_id, updated_at);
CREATE INDEX tasks_of_project_updated ON tasks USING btree (company_id, project_id, updated_at, id);
CREATE INDEX tasks_order ON tasks USING btree (company_id, task_list_id, id);
CREATE UNIQUE INDEX tasks_ref ON tasks USING btree (company_id, ref);
CREATE INDEX tasks_search_beginning ON tasks USING btree (company_id, search_name);
CREATE INDEX tasks_search_words ON tasks USING gin (search_name gin_trgm_ops, (company_id::text)) WITH (gin_pending_list_limit='256');
CREATE UNIQUE INDEX tasks_slug ON tasks USING btree (company_id, slug, (task_list_id + 0));
CREATE INDEX tasks_updated ON tasks USING btree (company_id, updated_at, id) INCLUDE (project_id, task_list_id, completed, completed_at, due_at);
CREATE TRIGGER tasks_count_added AFTER INSERT ON tasks REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_tasks();
CREATE TRIGGER tasks_count_changed AFTER UPDATE ON tasks REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_tasks();
CREATE TRIGGER tasks_count_removed AFTER DELETE ON tasks REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_tasks();
CREATE TRIGGER tasks_moving_delete AFTER DELETE ON tasks FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER tasks_moving_insert AFTER INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER tasks_moving_update AFTER UPDATE ON tasks FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER tasks_record_changed AFTER UPDATE ON tasks FOR EACH ROW WHEN ((old.title IS DISTINCT FROM new.title OR old.notes IS DISTINCT FROM new.notes OR old.due_at IS DISTINCT FROM new.due_at OR old.assignee_id IS DISTINCT FROM new.assignee_id OR old.time_spent_minutes IS DISTINCT FROM new.time_spent_minutes OR old.external_id IS DISTINCT FROM new.external_id OR old.metadata IS DISTINCT FROM new.metadata OR old.completed_at IS DISTINCT FROM new.completed_at OR old.task_list_id IS DISTINCT FROM new.task_list_id) AND current_setting('diwan.frees_external_ids'::text, true) IS DISTINCT FROM 'yes'::text) EXECUTE FUNCTION record_task_change();
CREATE TRIGGER tasks_record_created AFTER INSERT ON tasks REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION record_created_tasks();
CREATE TRIGGER tasks_record_deleted AFTER DELETE ON tasks REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION record_deleted_tasks();
CREATE TRIGGER tasks_retire_slug AFTER UPDATE ON tasks FOR EACH ROW WHEN (old.slug <> new.slug OR old.task_list_id <> new.task_list_id) EXECUTE FUNCTION retire_slug('task', 'task_list_id');
CREATE TRIGGER tasks_set_updated_at BEFORE UPDATE ON tasks FOR EACH ROW WHEN ((old.title IS DISTINCT FROM new.title OR old.notes IS DISTINCT FROM new.notes OR old.due_at IS DISTINCT FROM new.due_at OR old.assignee_id IS DISTINCT FROM new.assignee_id OR old.time_spent_minutes IS DISTINCT FROM new.time_spent_minutes OR old.external_id IS DISTINCT FROM new.external_id OR old.metadata IS DISTINCT FROM new.metadata OR old.completed_at IS DISTINCT FROM new.completed_at OR old.task_list_id IS DISTINCT FROM new.task_list_id) AND current_setting('diwan.frees_external_ids'::text, true) IS DISTINCT FROM 'yes'::text) EXECUTE FUNCTION set_updated_at();

CREATE TABLE timeline_entries (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  created_at timestamptz NOT NULL DEFAULT now(),
  kind text NOT NULL,
  project_id bigint NOT NULL,
  subject_type text NOT NULL,
  subject_id text NOT NULL,
  subject_title text NOT NULL,
  actor_id bigint NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, actor_id) REFERENCES users(company_id, id),
  FOREIGN KEY (company_id, project_id) REFERENCES projects(company_id, id) ON DELETE CASCADE
);
ALTER TABLE timeline_entries ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX timeline_entries_age ON timeline_entries USING btree (GREATEST(created_at, '-infinity'::timestamp with time zone));

CREATE TABLE upkeep (
  step text NOT NULL,
  every interval NOT NULL,
  due_at timestamptz NOT NULL,
  claim uuid,
  claimed_until timestamptz,
  done_at timestamptz NOT NULL DEFAULT now(),
  removed bigint NOT NULL DEFAULT 0,
  failure text,
  failing_since timestamptz,
  failures integer NOT NULL DEFAULT 0,
  PRIMARY KEY (step)
);

CREATE TABLE users (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  can_manage_api_keys boolean NOT NULL DEFAULT false,
  active boolean NOT NULL DEFAULT true,
  language text NOT NULL DEFAULT 'en'::text,
  created_at timestamptz NOT NULL DEFAULT now(),
  first_token_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id) REFERENCES companies(id),
  CHECK (language = ANY (ARRAY['en'::text, 'ar'::text])),
  CHECK (role = ANY (ARRAY['owner'::text, 'manager'::text, 'member'::text]))
);
ALTER TABLE users ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX users_any_email ON users USING btree (lower(email));
CREATE UNIQUE INDEX users_email ON users USING btree (company_id, lower(email));
CREATE TRIGGER users_delete_invitation AFTER UPDATE OF role, can_manage_api_keys, email, active ON users FOR EACH ROW WHEN (old.role IS DISTINCT FROM new.role OR old.can_manage_api_keys IS DISTINCT FROM new.can_manage_api_keys OR old.email IS DISTINCT FROM new.email OR old.active IS DISTINCT FROM new.active) EXECUTE FUNCTION delete_invitation();
CREATE TRIGGER users_moving_delete AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER users_moving_insert AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER users_moving_update AFTER UPDATE ON users FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER users_raise_version AFTER UPDATE OF name, email ON users FOR EACH ROW EXECUTE FUNCTION raise_company_version();

CREATE TABLE webhook_attempts (
  company_id bigint NOT NULL,
  delivery_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL DEFAULT now(),
  status integer,
  error text,
  ms integer NOT NULL,
  response text,
  url text,
  headers json,
  body text,
  PRIMARY KEY (company_id, delivery_id, id),
  FOREIGN KEY (company_id, delivery_id) REFERENCES webhook_deliveries(company_id, id) ON DELETE CASCADE
);
ALTER TABLE webhook_attempts ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX webhook_attempts_age ON webhook_attempts USING btree (GREATEST(at, '-infinity'::timestamp with time zone));

CREATE TABLE webhook_deliveries (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  webhook_id bigint NOT NULL,
  message_id text NOT NULL DEFAULT 'msg_'::text || replace(gen_random_uuid()::text, '-'::text, ''::text),
  kind text NOT NULL,
  change text NOT NULL,
  record_id text NOT NULL,
  project_id text NOT NULL,
  parent_id text,
  actor text,
  fields text[],
  at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  state text NOT NULL DEFAULT 'pending'::text,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz DEFAULT now(),
  claim uuid,
  last_attempt_at timestamptz,
  status integer,
  error text,
  ms integer,
  response text,
  traceparent text,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, webhook_id) REFERENCES webhooks(company_id, id) ON DELETE CASCADE,
  CHECK (state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text]))
);
ALTER TABLE webhook_deliveries ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX webhook_deliveries_age ON webhook_deliveries USING btree (GREATEST(created_at, '-infinity'::timestamp with time zone));
CREATE INDEX webhook_deliveries_claimed ON webhook_deliveries USING btree (company_id, webhook_id) WHERE claim IS NOT NULL;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (company_id, webhook_id, next_attempt_at) WHERE state = 'pending'::text;
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries USING btree (company_id, webhook_id, id) WHERE state = 'failed'::text;
CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries USING btree (company_id, webhook_id, id);

CREATE TABLE webhooks (
  company_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  url text NOT NULL,
  kinds text[] NOT NULL,
  project_id bigint,
  active boolean NOT NULL DEFAULT true,
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_until timestamptz,
  tx xid8 NOT NULL,
  change_id bigint NOT NULL,
  told_since pg_snapshot NOT NULL,
  created_by bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  failing_since timestamptz,
  warned_at timestamptz,
  switched_off_at timestamptz,
  switched_off_because text,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id) REFERENCES companies(id),
  FOREIGN KEY (company_id, created_by) REFERENCES users(company_id, id),
  FOREIGN KEY (company_id, project_id) REFERENCES projects(company_id, id) ON DELETE CASCADE,
  CHECK (switched_off_because = ANY (ARRAY['failing'::text, 'gone'::text]))
);
ALTER TABLE webhooks ALTER COLUMN company_id SET (n_distinct=3);
CREATE INDEX webhooks_failing ON webhooks USING btree (failing_since) WHERE active AND failing_since IS NOT NULL;
CREATE TRIGGER webhooks_moving_delete AFTER DELETE ON webhooks FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER webhooks_moving_insert AFTER INSERT ON webhooks FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
CREATE TRIGGER webhooks_moving_update AFTER UPDATE ON webhooks FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();

CREATE TABLE write_probe (
  only_row boolean NOT NULL DEFAULT true,
  written_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (only_row),
  CHECK (only_row)
);

CREATE VIEW external_ids AS
 SELECT company_id,
    'project'::text AS kind,
    external_id,
    id AS record_id,
    ref,
    id AS project_id,
    deleted_at IS NULL AS is_there
   FROM projects
UNION ALL
 SELECT company_id,
    'task_list'::text AS kind,
    external_id,
    id AS record_id,
    ref,
    id AS project_id,
    deleted_at IS NULL AND deleted_at IS NULL AS is_there
   FROM task_lists l
     JOIN projects p ON company_id = company_id AND id = project_id
UNION ALL
 SELECT company_id,
    'task'::text AS kind,
    external_id,
    id AS record_id,
    ref,
    id AS project_id,
    deleted_at IS NULL AND deleted_at IS NULL AS is_there
   FROM tasks t
     JOIN task_lists l ON company_id = company_id AND id = task_list_id
     JOIN projects p ON company_id = company_id AND id = project_id
UNION ALL
 SELECT company_id,
    'discussion'::text AS kind,
    external_id,
    id AS record_id,
    ref,
    id AS project_id,
    deleted_at IS NULL AND deleted_at IS NULL AS is_there
   FROM discussions d
     JOIN projects p ON company_id = company_id AND id = project_id;

CREATE VIEW taken_slugs AS
 SELECT company_id,
    kind,
    parent_id,
    slug,
    record_id
   FROM retired_slugs
UNION ALL
 SELECT company_id,
    'project'::text AS kind,
    0::bigint AS parent_id,
    slug,
    id AS record_id
   FROM projects
UNION ALL
 SELECT company_id,
    'task_list'::text AS kind,
    project_id + 0 AS parent_id,
    slug,
    id AS record_id
   FROM task_lists
UNION ALL
 SELECT company_id,
    'task'::text AS kind,
    task_list_id + 0 AS parent_id,
    slug,
    id AS record_id
   FROM tasks
UNION ALL
 SELECT company_id,
    'discussion'::text AS kind,
    project_id + 0 AS parent_id,
    slug,
    id AS record_id
   FROM discussions;

CREATE FUNCTION changed_comment_fields(old comments, new comments)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
select array_remove(array[
  case when (new).body is distinct from (old).body then 'content' end], null)
$function$;

CREATE FUNCTION changed_discussion_fields(old discussions, new discussions)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
select array_remove(array[
  case when (new).title is distinct from (old).title then 'title' end,
  case when (new).body is distinct from (old).body then 'body' end,
  case when (new).category is distinct from (old).category then 'category' end,
  case when (new).external_id is distinct from (old).external_id then 'external_id' end,
  case when (new).metadata is distinct from (old).metadata then 'metadata' end], null)
$function$;

CREATE FUNCTION changed_folder_fields(old folders, new folders)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
select array_remove(array[
  case when (new).name is distinct from (old).name then 'name' end,
  case when (new).description is distinct from (old).description then 'description' end], null)
$function$;

CREATE FUNCTION changed_project_fields(old projects, new projects)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
select array_remove(array[
  case when (new).name is distinct from (old).name then 'name' end,
  case when (new).description is distinct from (old).description then 'description' end,
  case when (new).is_public is distinct from (old).is_public then 'is_public' end,
  case when (new).start_date is distinct from (old).start_date then 'start_date' end,
  case when (new).end_date is distinct from (old).end_date then 'end_date' end,
  case when (new).external_id is distinct from (old).external_id then 'external_id' end,
  case when (new).metadata is distinct from (old).metadata then 'metadata' end], null)
$function$;

CREATE FUNCTION changed_task_fields(old tasks, new tasks)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
select array_remove(array[
  case when (new).title is distinct from (old).title then 'title' end,
  case when (new).notes is distinct from (old).notes then 'notes' end,
  case when (new).due_at is distinct from (old).due_at then 'due_at' end,
  case when (new).assignee_id is distinct from (old).assignee_id then 'assignee' end,
  case when (new).time_spent_minutes is distinct from (old).time_spent_minutes then 'time_spent_minutes' end,
  case when (new).external_id is distinct from (old).external_id then 'external_id' end,
  case when (new).metadata is distinct from (old).metadata then 'metadata' end], null)
$function$;

CREATE FUNCTION changed_task_list_fields(old task_lists, new task_lists)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
select array_remove(array[
  case when (new).title is distinct from (old).title then 'title' end,
  case when (new).notes is distinct from (old).notes then 'notes' end,
  case when (new).priority is distinct from (old).priority then 'priority' end,
  case when (new).external_id is distinct from (old).external_id then 'external_id' end,
  case when (new).metadata is distinct from (old).metadata then 'metadata' end], null)
$function$;

CREATE FUNCTION claim_external_ids(company bigint, of_kind text, wanted text[])
 RETURNS TABLE(external_id text, record_id bigint, ref text)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  deleted bigint[];
begin
  perform pg_advisory_xact_lock(key) from (
    select distinct hashtextextended(format('external_id %s %s %s', company, of_kind, id), 0) as key
    from unnest(wanted) id where id is not null order by key) keys;
  deleted := array(
    select e.record_id from external_ids e
    where e.company_id = company and e.kind = of_kind and e.external_id = any (wanted) and not e.is_there);
  if cardinality(deleted) > 0 then
    perform free_external_ids(company, of_kind, deleted);
  end if;
  return query
    select e.external_id, e.record_id, e.ref from external_ids e
    where e.company_id = company and e.kind = of_kind and e.external_id = any (wanted);
end $function$;

CREATE FUNCTION claim_slug(company bigint, of_kind text, parent bigint, record bigint, wanted text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  if record is not null and is_slug_taken(company, of_kind, parent, record, wanted) then
    return false;
  end if;
  if not pg_try_advisory_xact_lock(slug_lock(company, of_kind, parent, wanted)) then
    return false;
  end if;
  return not is_slug_taken(company, of_kind, parent, record, wanted);
end $function$;

CREATE FUNCTION claim_task_slugs(company bigint, lists bigint[], wanted text[])
 RETURNS text[]
 LANGUAGE plpgsql
AS $function$
declare
  claimed bigint[] := array(
    select place from (
      select distinct on (list, slug) list, slug, place from unnest(lists, wanted) with ordinality sent (list, slug, place)
      order by list, slug, place) first
    where not is_like_ref(slug) and pg_try_advisory_xact_lock(slug_lock(company, 'task', list, slug)));
begin
  return array(
    select case when place = any (claimed) and (
        select true from taken_slugs t
        where t.company_id = company and t.kind = 'task' and t.parent_id = list and t.slug = sent.slug limit 1) is null
      then slug end
    from unnest(lists, wanted) with ordinality sent (list, slug, place) order by place);
end $function$;

CREATE FUNCTION count_replies()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  reply comments := coalesce(new, old);
begin
  -- A discussion that is gone with its replies has nothing to count.
  insert into count_changes (company_id, project_id, discussion_id, replies)
  select d.company_id, d.project_id, d.id, case tg_op when 'INSERT' then 1 else -1 end
  from discussions d where d.company_id = reply.company_id and d.id = reply.discussion_id;
  if is_time_to_fold() then
    perform fold_counts(d.company_id, d.project_id) from discussions d
    where d.company_id = reply.company_id and d.id = reply.discussion_id;
  end if;
  return null;
end $function$;

CREATE FUNCTION count_task_lists()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into count_changes (company_id, project_id, task_lists)
    select company_id, project_id, count(*) from added group by 1, 2;
    if is_time_to_fold() then
      perform fold_counts(company_id, project_id) from (select distinct company_id, project_id from added order by 1, 2) of_lists;
    end if;
  else
    -- Lists that were marked as deleted before are no longer counted.
    insert into count_changes (company_id, project_id, task_lists)
    select company_id, project_id, -count(*) from removed where deleted_at is null group by 1, 2;
  end if;
  return null;
end $function$;

CREATE FUNCTION count_tasks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into count_changes (company_id, project_id, task_list_id, tasks, completed_tasks)
    select company_id, project_id, task_list_id, count(*), count(completed_at) from added group by 1, 2, 3;
    if is_time_to_fold() then
      perform fold_counts(company_id, project_id) from (select distinct company_id, project_id from added order by 1, 2) of_tasks;
    end if;
  elsif tg_op = 'DELETE' then
    insert into count_changes (company_id, project_id, task_list_id, tasks, completed_tasks)
    select r.company_id, r.project_id, r.task_list_id, -count(*), -count(r.completed_at)
    from removed r join task_lists l on l.company_id = r.company_id and l.id = r.task_list_id
    where l.deleted_at is null group by 1, 2, 3;
    if is_time_to_fold() then
      perform fold_counts(company_id, project_id) from (select distinct company_id, project_id from removed order by 1, 2) of_tasks;
    end if;
  else
    insert into count_changes (company_id, project_id, task_list_id, tasks, completed_tasks)
    select company_id, project_id, task_list_id, sum(n), sum(done)
    from (select company_id, project_id, task_list_id, 1 as n, (completed_at is not null)::int as done from added
          union all
          select company_id, project_id, task_list_id, -1, -(completed_at is not null)::int from removed) change
    group by 1, 2, 3 having sum(n) <> 0 or sum(done) <> 0;
    if is_time_to_fold() then
      perform fold_counts(company_id, project_id) from (select distinct company_id, project_id from added order by 1, 2) of_tasks;
    end if;
  end if;
  return null;
end $function$;

CREATE FUNCTION count_tasks_of_company(company bigint, hides_archived boolean, state boolean, up_to bigint, OUT tasks bigint, OUT completed_tasks bigint)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  -- Read one by one: a loop over a query reads the next fifty at once.
  projects cursor for
    select p.counted_tasks + since.tasks as tasks, p.counted_completed_tasks + since.completed_tasks as completed_tasks
    from projects p cross join lateral (
      select coalesce(sum(c.tasks), 0) as tasks, coalesce(sum(c.completed_tasks), 0) as completed_tasks
      from count_changes c where c.company_id = p.company_id and c.project_id = p.id) since
    where p.company_id = company and p.deleted_at is null and not (p.archived and hides_archived);
  project record;
begin
  tasks := 0;
  completed_tasks := 0;
  open projects;
  loop
    fetch projects into project;
    exit when not found;
    tasks := tasks + project.tasks;
    completed_tasks := completed_tasks + project.completed_tasks;
    exit when case when state then completed_tasks when not state then tasks - completed_tasks else tasks end > up_to;
  end loop;
  close projects;
end $function$;

CREATE FUNCTION delete_invitation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from invitations where company_id = new.company_id and user_id = new.id;
  return null;
end $function$;

CREATE FUNCTION earlier_answer(company bigint, of_repeater text, of_name text, since timestamp with time zone, OUT is_running boolean, OUT request_digest bytea, OUT status smallint, OUT answer text, OUT ignored_fields text)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
begin
  is_running := not pg_try_advisory_xact_lock(hashtextextended(format('idempotency %s %s %s', company, of_repeater, of_name), 0));
  if is_running then
    return;
  end if;
  select a.request_digest, a.status, a.answer, a.ignored_fields into request_digest, status, answer, ignored_fields
  from idempotent_answers a
  where a.company_id = company and a.repeater = of_repeater and a.name = of_name and a.created_at > since;
end $function$;

CREATE FUNCTION first_change_since(company bigint, since timestamp with time zone)
 RETURNS xid8
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  low bigint := 0;
  high bigint := coalesce((select tx::text::bigint + 1 from changes where company_id = company order by tx desc limit 1), 0);
  middle bigint;
begin
  while low < high loop
    middle := (low + high) / 2;
    if (select c.at >= since from changes c where c.company_id = company and c.tx >= middle::text::xid8
        order by c.tx, c.id limit 1) is not false then
      high := middle;
    else
      low := middle + 1;
    end if;
  end loop;
  return low::text::xid8;
end $function$;

CREATE FUNCTION fold_counts(company bigint, project bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if not pg_try_advisory_xact_lock(hashtextextended(format('counts %s %s', company, project), 0)) then
    return;
  end if;
  with removed as (
    delete from count_changes c
    where c.company_id = company and c.project_id = project and (c.task_list_id, c.discussion_id) in (
      select s.task_list_id, s.discussion_id from count_changes s
      where s.company_id = company and s.project_id = project group by 1, 2 having count(*) > 1)
    returning c.*)
  insert into count_changes (company_id, project_id, task_list_id, discussion_id, task_lists, tasks, completed_tasks, replies)
  select company, project, task_list_id, discussion_id, sum(task_lists), sum(tasks), sum(completed_tasks), sum(replies)
  from removed group by task_list_id, discussion_id
  having sum(task_lists) <> 0 or sum(tasks) <> 0 or sum(completed_tasks) <> 0 or sum(replies) <> 0;
end $function$;

CREATE FUNCTION folder_path(company bigint, folder bigint)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  with recursive up (id, parent_folder_id, path) as (
    select f.id, f.parent_folder_id, '/' || f.name from folders f where f.company_id = company and f.id = folder
    union all
    select f.id, f.parent_folder_id, '/' || f.name || up.path
    from folders f join up on f.company_id = company and f.id = up.parent_folder_id
  )
  select coalesce((select path from up where parent_folder_id is null), '/')
$function$;

CREATE FUNCTION free_external_ids(company bigint, of_kind text, records bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  of_table text := case of_kind
    when 'project' then 'projects' when 'task_list' then 'task_lists' when 'task' then 'tasks' else 'discussions' end;
begin
  perform from projects p where p.company_id = company and p.id in (
    select e.project_id from external_ids e where e.company_id = company and e.kind = of_kind and e.record_id = any (records))
  order by p.id for key share;
  execute format('select from %I where company_id = $1 and id = any ($2) order by id for no key update', of_table)
  using company, records;
  perform set_config('diwan.frees_external_ids', 'yes', true);
  execute format('update %I set external_id = null where company_id = $1 and id in (select e.record_id from external_ids e
    where e.company_id = $1 and e.kind = $3 and e.record_id = any ($2) and not e.is_there)', of_table)
  using company, records, of_kind;
  perform set_config('diwan.frees_external_ids', '', true);
end $function$;

CREATE FUNCTION free_number(company bigint, of_kind text, parent bigint, record bigint, wanted text, low integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  high integer := low + 1;
  middle integer;
begin
  while is_slug_taken(company, of_kind, parent, record, numbered_slug(wanted, high)) loop
    low := high;
    high := high * 2;
  end loop;
  while high - low > 1 loop
    middle := (low + high) / 2;
    if is_slug_taken(company, of_kind, parent, record, numbered_slug(wanted, middle)) then
      low := middle;
    else
      high := middle;
    end if;
  end loop;
  return high;
end $function$;

CREATE FUNCTION free_slug(company bigint, of_kind text, parent bigint, record bigint, wanted text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  number integer;
begin
  if claim_slug(company, of_kind, parent, record, wanted) then
    return wanted;
  end if;
  number := free_number(company, of_kind, parent, record, wanted, 1);
  while not claim_slug(company, of_kind, parent, record, numbered_slug(wanted, number)) loop
    number := number + 1;
  end loop;
  return numbered_slug(wanted, number);
end $function$;

CREATE FUNCTION free_task_slugs(company bigint, lists bigint[], wanted text[])
 RETURNS text[]
 LANGUAGE plpgsql
AS $function$
declare
  slugs text[] := claim_task_slugs(company, lists, wanted);
  same record;
  places bigint[];
  number integer;
  numbered text[];
begin
  for same in
    select list, slug, array_agg(place order by place) as places
    from unnest(lists, wanted, slugs) with ordinality sent (list, slug, given, place)
    where given is null group by list, slug order by min(place)
  loop
    places := same.places;
    number := free_number(company, 'task', same.list, null, same.slug, newest_number(company, same.list, same.slug));
    loop
      numbered := array(
        select each from generate_series(number, number + cardinality(places) - 1) n, numbered_slug(same.slug, n) each
        where not exists (select from unnest(lists, slugs) given (list, slug) where given.list = same.list and given.slug = each));
      number := number + cardinality(places);
      numbered := array_remove(claim_task_slugs(company, array_fill(same.list, array[cardinality(numbered)]), numbered), null);
      for n in 1 .. cardinality(numbered) loop
        slugs[places[n]] := numbered[n];
      end loop;
      places := places[cardinality(numbered) + 1 :];
      exit when cardinality(places) = 0;
    end loop;
  end loop;
  return slugs;
end $function$;

CREATE FUNCTION is_like_ref(slug text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN (slug ~ '^(prj|lst|tsk|mjl|fil)-[0-9a-hjkmnp-tv-z]{10}$'::text);

CREATE FUNCTION is_slug_taken(company bigint, of_kind text, parent bigint, record bigint, wanted text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  if is_like_ref(wanted) then
    return true;
  elsif of_kind = 'task' then
    return exists (select from taken_slugs t where t.company_id = company and t.kind = 'task' and t.parent_id = parent
      and t.slug = wanted and t.record_id is distinct from record);
  end if;
  return exists (select from taken_slugs t where t.company_id = company and t.kind = of_kind and t.parent_id = parent
    and t.slug = wanted and t.record_id is distinct from record);
end $function$;

CREATE FUNCTION is_time_to_fold()
 RETURNS boolean
 LANGUAGE sql
AS $function$ select random() < 1.0 / 32 $function$;

CREATE FUNCTION newest_number(company bigint, list bigint, wanted text)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  newest text;
  number integer;
begin
  select t.slug into newest from tasks t where t.company_id = company and t.task_list_id = list order by t.id desc limit 1;
  number := substring(newest from '-([1-9][0-9]{0,7})$')::integer;
  return case when numbered_slug(wanted, number) = newest then number else 1 end;
end $function$;

CREATE FUNCTION note_first_token()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update users set first_token_at = now()
  where company_id = new.company_id and id = new.user_id and first_token_at is null;
  return null;
end $function$;

CREATE FUNCTION numbered_slug(wanted text, number integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select left(wanted, 79 - length(number::text)) || '-' || number
$function$;

CREATE FUNCTION raise_company_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update companies set version = version + 1 where id = new.company_id;
  return null;
end $function$;

CREATE FUNCTION raise_own_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.version := old.version + 1;
  return new;
end $function$;

CREATE FUNCTION record_attachment_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  comment comments;
begin
  for comment in
    select c.* from (select distinct company_id, comment_id from changed) edited cross join lateral (
      select * from comments c where c.company_id = edited.company_id and c.id = edited.comment_id limit 1) c
  loop
    perform record_comment_edit(comment, array['attachments']);
  end loop;
  return null;
end $function$;

CREATE FUNCTION record_comment(comment comments, change text, fields text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into changes (company_id, kind, change, record_id, project_id, parent_id, fields)
  select comment.company_id, 'comment', change, comment.id,
    (select p.ref from projects p where p.company_id = comment.company_id and p.id = parent.project_id), parent.ref, fields
  from (
    select l.ref, l.project_id from task_lists l where l.company_id = comment.company_id and l.id = comment.task_list_id
    union all
    select t.ref, t.project_id from tasks t where t.company_id = comment.company_id and t.id = comment.task_id
    union all
    select d.ref, d.project_id from discussions d where d.company_id = comment.company_id and d.id = comment.discussion_id) parent;
end $function$;

CREATE FUNCTION record_comment_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    perform record_comment(new, 'created', null);
  else
    perform record_comment_edit(new, changed_comment_fields(old, new));
  end if;
  return null;
end $function$;

CREATE FUNCTION record_comment_edit(comment comments, edited text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  entry record;
begin
  select c.id, c.fields into entry from changes c
  where c.company_id = comment.company_id and c.tx = pg_current_xact_id() and c.kind = 'comment' and c.record_id = comment.id::text;
  if not found then
    perform record_comment(comment, 'updated', edited);
  elsif not (edited <@ entry.fields) then
    update changes c set fields = entry.fields || array(select unnest(edited) except select unnest(entry.fields))
    where c.company_id = comment.company_id and c.tx = pg_current_xact_id() and c.id = entry.id;
  end if;
end $function$;

CREATE FUNCTION record_created_tasks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into changes (company_id, kind, change, record_id, project_id, parent_id)
  select t.company_id, 'task', 'created', t.ref, (select p.ref from projects p where p.company_id = t.company_id and p.id = t.project_id), (select l.ref from task_lists l where l.company_id = t.company_id and l.id = t.task_list_id)
  from added t order by t.id;
  return null;
end $function$;

CREATE FUNCTION record_deleted_files()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into changes (company_id, kind, change, record_id, project_id, parent_id)
  select f.company_id, 'file', 'deleted', f.ref,
    (select p.ref from projects p where p.company_id = f.company_id and p.id = f.project_id), f.folder_id
  from removed f
  where f.folder_id is null
    or exists (
      select from folders above
      where above.company_id = f.company_id and above.id = f.folder_id and above.deleted_at is null)
  order by f.id;
  return null;
end $function$;

CREATE FUNCTION record_deleted_tasks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into changes (company_id, kind, change, record_id, project_id, parent_id)
  select t.company_id, 'task', 'deleted', t.ref, (select p.ref from projects p where p.company_id = t.company_id and p.id = t.project_id), l.ref
  from removed t cross join lateral (
    select ref from task_lists l where l.company_id = t.company_id and l.id = t.task_list_id and l.deleted_at is null limit 1) l
  order by t.id;
  return null;
end $function$;

CREATE FUNCTION record_discussion_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change text := case
    when tg_op = 'INSERT' then 'created'
    when old.deleted_at is null and new.deleted_at is not null then 'deleted'
    when old.deleted_at is not null and new.deleted_at is null then 'restored'
    else 'updated' end;
begin
  insert into changes (company_id, kind, change, record_id, project_id, fields)
  values (new.company_id, 'discussion', change, new.ref, (select p.ref from projects p where p.company_id = new.company_id and p.id = new.project_id),
    case when change = 'updated' then changed_discussion_fields(old, new) end);
  return null;
end $function$;

CREATE FUNCTION record_file_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into changes (company_id, kind, change, record_id, project_id, parent_id)
  values (new.company_id, 'file', case tg_op when 'INSERT' then 'created' else 'scanned' end, new.ref,
    (select p.ref from projects p where p.company_id = new.company_id and p.id = new.project_id), new.folder_id);
  return null;
end $function$;

CREATE FUNCTION record_folder_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change text := case
    when tg_op = 'INSERT' then 'created'
    when old.deleted_at is distinct from new.deleted_at then 'deleted'
    when old.parent_folder_id is distinct from new.parent_folder_id then 'moved'
    else 'updated' end;
begin
  -- What goes with the folder above it is told by the entry of that one.
  if change = 'deleted' and exists (
    select from folders f where f.company_id = new.company_id and f.id = new.parent_folder_id and f.deleted_at is not null) then
    return null;
  end if;
  insert into changes (company_id, kind, change, record_id, project_id, parent_id, fields)
  values (new.company_id, 'folder', change, new.id, (select p.ref from projects p where p.company_id = new.company_id and p.id = new.project_id), new.parent_folder_id,
    case when change = 'updated' then changed_folder_fields(old, new) end);
  return null;
end $function$;

CREATE FUNCTION record_project_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change text := case
    when tg_op = 'INSERT' then 'created'
    when old.deleted_at is null and new.deleted_at is not null then 'deleted'
    when old.deleted_at is not null and new.deleted_at is null then 'restored'
    when not old.archived and new.archived then 'archived'
    when old.archived and not new.archived then 'unarchived'
    else 'updated' end;
begin
  insert into changes (company_id, kind, change, record_id, project_id, fields)
  values (new.company_id, 'project', change, new.ref, new.ref, case when change = 'updated' then changed_project_fields(old, new) end);
  return null;
end $function$;

CREATE FUNCTION record_task_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change text := case
    when old.task_list_id <> new.task_list_id then 'moved'
    when old.completed_at is null and new.completed_at is not null then 'completed'
    when old.completed_at is not null and new.completed_at is null then 'reopened'
    else 'updated' end;
  fields text[];
  left_project text;
  left_list text;
begin
  if change = 'updated' then
    fields := changed_task_fields(old, new);
  elsif old.project_id <> new.project_id then
    left_project := (select p.ref from projects p where p.company_id = old.company_id and p.id = old.project_id);
    left_list := (select l.ref from task_lists l where l.company_id = old.company_id and l.id = old.task_list_id);
  end if;
  insert into changes (company_id, kind, change, record_id, project_id, parent_id, fields, left_project_id, left_parent_id)
  values (new.company_id, 'task', change, new.ref, (select p.ref from projects p where p.company_id = new.company_id and p.id = new.project_id),
    (select l.ref from task_lists l where l.company_id = new.company_id and l.id = new.task_list_id), fields, left_project, left_list);
  return null;
end $function$;

CREATE FUNCTION record_task_list_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change text := case
    when tg_op = 'INSERT' then 'created'
    when old.deleted_at is null and new.deleted_at is not null then 'deleted'
    else 'updated' end;
begin
  insert into changes (company_id, kind, change, record_id, project_id, fields)
  values (new.company_id, 'task_list', change, new.ref, (select p.ref from projects p where p.company_id = new.company_id and p.id = new.project_id),
    case when change = 'updated' then changed_task_list_fields(old, new) end);
  return null;
end $function$;

CREATE FUNCTION refuse_settings_while_moving()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  state text := case tg_op when 'UPDATE' then old.moving else (select c.moving from companies c where c.id = new.sandbox_of) end;
begin
  if state is not null then
    raise exception 'Company % is being moved to another cell', coalesce(new.sandbox_of, new.id) using errcode = 'DW001';
  end if;
  return null;
end $function$;

CREATE FUNCTION refuse_while_moving()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  company bigint := case tg_op when 'DELETE' then old.company_id else new.company_id end;
begin
  if exists (select from companies c where c.id = company and c.moving is not null
    and (c.moving <> 'left' or c.closed_at > now() - interval '1 day'))
  then
    raise exception 'Company % is being moved to another cell', company using errcode = 'DW001';
  end if;
  return null;
end $function$;

CREATE FUNCTION retire_slug()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  old_parent bigint := coalesce((to_jsonb(old) ->> tg_argv[1])::bigint, 0);
  new_parent bigint := coalesce((to_jsonb(new) ->> tg_argv[1])::bigint, 0);
begin
  delete from retired_slugs r
  where r.company_id = new.company_id and r.kind = tg_argv[0] and r.parent_id = new_parent and r.slug = new.slug;
  if old_parent = new_parent then
    insert into retired_slugs values (old.company_id, tg_argv[0], old_parent, old.slug, old.id);
  end if;
  return null;
end $function$;

CREATE FUNCTION search_letters(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN replace(replace(replace(replace(translate(translate(lower((NORMALIZE(regexp_replace(name, '[\u034f\u1abe\u180b-\u180f\ufe00-\ufe0f\u20dd-\u20e4\u0488\u0489\u00ad\u02be\u02bf\u061c\u0640\u0674\u06e5\u06e6\u0890\u0891\u08c9\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufc5e-\ufc63\ufcf2-\ufcf4\ufe70-\ufe7f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]+'::text, ''::text, 'g'::text), NFKD) COLLATE "C")), CASE WHEN (name !~ '[^\u0001-\u007f\u0400-\u045f\u2010-\u2027]'::text) THEN 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ'::text WHEN (name ~ '[^\u0001-\u00c5\u00c7-\u00cf\u00d1-\u00d7\u00d9-\u00dd\u00df-\u00ef\u00f1-\u00f7\u00f9-\u010f\u0112-\u0125\u0128-\u0130\u0132-\u0140\u0143-\u0149\u014c-\u0151\u0154-\u0165\u0168-\u017f\u0218-\u021b\u0600-\u109f\u2000-\u20ff\u2190-\u2bff\u3000-\u33bf\u3400-\ua63f\uac00-\uffff\U0001f000-\U000fffff]'::text) THEN 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩÆÐØÞĐĦŁŊŒŦẞðøđħłŧıς'::text ELSE ''::text END, 'абвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґαβγδεζηθικλμνξοπρστυφχψωædoþdhlŋœtßdodhltiσ'::text), CASE WHEN (name ~ '[^\u0001-\u017f\u01a0\u01a1\u01af\u01b0\u0218-\u021b\u0300-\u036f\u0384-\u03ce\u0400-\u045f\u0490\u0491\u1e00-\u1ef9\u0600-\u109f\u2000-\u20ff\u2190-\u2bff\u3000-\u33bf\u3400-\ua63f\uac00-\uffff\U0001f000-\U000fffff]'::text) THEN 'ƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧƩƬƮƱƲƳƵƷƸƼǤǶǷȜȠȢȤȺȻȽȾɁɃɄɅɆɈɊɌɎỺỼỾͰͲͶͿϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿ'::text ELSE ''::text END, 'ɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨʃƭʈʊʋƴƶʒƹƽǥƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏỻỽỿͱͳͷϳϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿ'::text), 'ß'::text, 'ss'::text), 'æ'::text, 'ae'::text), 'œ'::text, 'oe'::text), 'þ'::text, 'th'::text);

CREATE FUNCTION search_name(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN btrim(regexp_replace(regexp_replace(CASE WHEN (octet_length(name) = length(name)) THEN lower((name COLLATE "C")) ELSE translate(replace(replace(replace(replace(regexp_replace(CASE WHEN (name !~ '[^\u0001-\u00a7\u00ab\u00bb\u0600-\u0674\u0679-\u06ff\u200b-\u2027]'::text) THEN lower((name COLLATE "C")) ELSE search_letters(name) END, '[\u0300-\u036f\u1ab0-\u1ace\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\ufb1e\u0610-\u061a\u061c\u0640\u064b-\u0653\u0655-\u065f\u0670\u0674\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0730-\u074a\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u02be\u02bf\u200b-\u200f]+'::text, ''::text, 'g'::text), 'ئ'::text, 'ئ'::text), 'ٔ'::text, ''::text), 'ؤ'::text, 'و'::text), 'ئو'::text, 'وو'::text), CASE WHEN (name !~ '[^\u0001-\u00a7\u00ab\u00bb\u0600-\u065f\u200b-\u2027]'::text) THEN 'أإآةىئ'::text WHEN (name !~ '[^\u0001-\u00a7\u00ab\u00bb\u0600-\u066f\u200b-\u2027]'::text) THEN 'أإآةىئ٠١٢٣٤٥٦٧٨٩'::text WHEN (name ~ '[\u0600-\u06ff\ufb50-\ufeff]'::text) THEN 'أإآةىئ٠١٢٣٤٥٦٧٨٩ٱٲٳکڪیےۓۀہۂۃەھ۰۱۲۳۴۵۶۷۸۹'::text ELSE ''::text END, 'اااهيي0123456789اااككيييهههههه0123456789'::text) END, '[,\u060c\u066c](?<=[0-9].)(?<![0-9]{4}.)(?=[0-9]{3}(?![0-9]))'::text, ''::text, 'g'::text), ' *(?:[\u0001-\u001f\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u02b9-\u02bd\u02c0-\u02ff\u0375\u03f6\u0482\u055a-\u055f\u0589-\u058f\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u06dd\u06de\u06e9\u06fd\u06fe\u0700-\u070d\u0888\u08e2\u0964\u0965\u0970\u1680\u2000-\u20cf\u2100-\u2131\u2133-\u214d\u214f\u218a-\u2bff\u2e00-\u2e7f\u3001-\u3004\u3008-\u3020\u3030\u303d-\u303f\u30a0\u30fb\ufbb2-\ufbc2\ufd3e-\ufd4f\ufdcf\ufdfd-\ufdff\ufe45\ufe46\ufffc\ufffd] *)+|  +'::text, ' '::text, 'g'::text));

CREATE FUNCTION set_comment_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  edited record;
begin
  for edited in select distinct company_id, comment_id from changed loop
    update comments set updated_at = clock_timestamp()
    where company_id = edited.company_id and id = edited.comment_id and created_at <> now();
  end loop;
  return null;
end $function$;

CREATE FUNCTION set_company_search_name()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.search_name := left(' ' || search_name(new.name), 500);
  return new;
end $function$;

CREATE FUNCTION set_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.updated_at := greatest(clock_timestamp(), old.updated_at);
  return new;
end $function$;

CREATE FUNCTION settle_counts(company bigint, project bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  lines count_changes[];
  change record;
begin
  if not pg_try_advisory_xact_lock(hashtextextended(format('counts %s %s', company, project), 0)) then
    return;
  end if;
  perform from projects where company_id = company and id = project for update skip locked;
  if not found and exists (select from projects where company_id = company and id = project) then
    return;
  end if;
  with removed as (delete from count_changes c where c.company_id = company and c.project_id = project returning c)
  select array_agg(c) into lines from removed;

  for change in select task_list_id, sum(tasks) as tasks, sum(completed_tasks) as completed_tasks from unnest(lines)
                where task_list_id <> 0 group by 1 order by 1 loop
    perform from task_lists where company_id = company and id = change.task_list_id for update;
    update task_lists set counted_tasks = counted_tasks + change.tasks,
      counted_completed_tasks = counted_completed_tasks + change.completed_tasks
    where company_id = company and id = change.task_list_id;
  end loop;
  for change in select discussion_id, sum(replies) as replies from unnest(lines)
                where discussion_id <> 0 group by 1 order by 1 loop
    perform from discussions where company_id = company and id = change.discussion_id for update;
    update discussions set counted_replies = counted_replies + change.replies
    where company_id = company and id = change.discussion_id;
  end loop;
  select sum(task_lists) as task_lists, sum(tasks) as tasks, sum(completed_tasks) as completed_tasks
  into change from unnest(lines);
  if change.task_lists <> 0 or change.tasks <> 0 or change.completed_tasks <> 0 then
    update projects set counted_task_lists = counted_task_lists + change.task_lists, counted_tasks = counted_tasks + change.tasks,
      counted_completed_tasks = counted_completed_tasks + change.completed_tasks
    where company_id = company and id = project;
  end if;
end $function$;

CREATE FUNCTION slug_lock(company bigint, of_kind text, parent bigint, slug text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
RETURN hashtextextended(format('slug %s %s %s %s'::text, company, of_kind, parent, slug), (0)::bigint);

CREATE FUNCTION subtract_deleted_list()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into count_changes (company_id, project_id, task_lists, tasks, completed_tasks)
  select new.company_id, new.project_id, -1, -(new.counted_tasks + coalesce(sum(c.tasks), 0)),
    -(new.counted_completed_tasks + coalesce(sum(c.completed_tasks), 0))
  from count_changes c
  where c.company_id = new.company_id and c.project_id = new.project_id and c.task_list_id = new.id;
  return null;
end $function$;
