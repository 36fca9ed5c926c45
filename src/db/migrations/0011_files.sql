create table folders (
  company_id bigint not null,
  id bigint generated always as identity,
  project_id bigint not null,
  parent_folder_id bigint,
  name text not null,
  description text,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  -- Set for a deleted folder and for all folders below it. From then on nobody sees them or their files; a job removes the rows.
  deleted_at timestamptz,
  search_name text collate "C" generated always as (left(' ' || search_name(name), 500) || ' ') stored,
  primary key (company_id, id),
  unique (company_id, project_id, id),
  foreign key (company_id, project_id) references projects on delete cascade,
  foreign key (company_id, project_id, parent_folder_id) references folders (company_id, project_id, id) on delete cascade,
  foreign key (company_id, created_by) references users
);
alter table folders alter column company_id set (n_distinct = 3);
-- Unique among those that are not deleted. It holds the deleted ones too: a partial index would tempt the planner (0007).
create unique index folders_name on folders (company_id, project_id, parent_folder_id, name, coalesce(deleted_at, 'infinity'))
  nulls not distinct;
create index folders_deleted on folders (company_id, id) where deleted_at is not null;
create index folders_order on folders (company_id, project_id, parent_folder_id, name collate "C", id);
create index folders_search_beginning on folders (company_id, search_name);
create index folders_search_words on folders
  using gin (search_name gin_trgm_ops, (company_id::text)) with (gin_pending_list_limit = 256);

-- A row is an upload (with the digest of its bytes, which are stored elsewhere) or a link (with an address).
create table files (
  company_id bigint not null,
  id bigint generated always as identity,
  project_id bigint not null,
  folder_id bigint,
  ref text not null,
  name text not null,
  content_type text,
  size_bytes bigint,
  digest text,
  external_url text,
  scan_state text not null check (scan_state in ('pending', 'clean', 'skipped', 'infected', 'failed')),
  scan_engine text,
  scan_finding text,
  scan_message text,
  scanned_at timestamptz,
  uploaded_by bigint not null,
  created_at timestamptz not null default now(),
  search_name text collate "C" generated always as (left(' ' || search_name(name), 500) || ' ') stored,
  primary key (company_id, id),
  foreign key (company_id, project_id) references projects on delete cascade,
  foreign key (company_id, project_id, folder_id) references folders (company_id, project_id, id) on delete cascade,
  foreign key (company_id, uploaded_by) references users,
  check ((digest is null) <> (external_url is null)),
  check ((digest is null) = (scan_state = 'skipped')),
  check ((scan_message is null) = (scan_state in ('pending', 'clean', 'skipped')))
);
alter table files alter column company_id set (n_distinct = 3);
create unique index files_ref on files (company_id, ref);
create index files_order on files (company_id, project_id, folder_id, name collate "C", id);
create index files_scan_state on files (company_id, scan_state, id);
create index files_digest on files (company_id, digest) where digest is not null;
create index files_search_beginning on files (company_id, search_name);
create index files_search_words on files
  using gin (search_name gin_trgm_ops, (company_id::text)) with (gin_pending_list_limit = 256);

-- The files of a comment, in their order. When a file is deleted, its name stays.
create table comment_attachments (
  company_id bigint not null,
  comment_id bigint not null,
  position smallint not null,
  file_id bigint,
  name text not null,
  primary key (company_id, comment_id, position),
  foreign key (company_id, comment_id) references comments on delete cascade,
  foreign key (company_id, file_id) references files on delete set null (file_id)
);
alter table comment_attachments alter column company_id set (n_distinct = 3);
create index comment_attachments_file on comment_attachments (company_id, file_id) where file_id is not null;

-- Attaching other files is an edit of the comment, unless it was written in the same transaction. The deletion of a file is
-- not: it updates a row here, and neither adds nor removes one.
create function set_comment_updated_at() returns trigger language plpgsql as $$
declare
  edited record;
begin
  for edited in select distinct company_id, comment_id from changed loop
    update comments set updated_at = clock_timestamp()
    where company_id = edited.company_id and id = edited.comment_id and created_at <> now();
  end loop;
  return null;
end $$;
create trigger comment_attachments_set_updated_at_added after insert on comment_attachments
  referencing new table as changed for each statement execute function set_comment_updated_at();
create trigger comment_attachments_set_updated_at_removed after delete on comment_attachments
  referencing old table as changed for each statement execute function set_comment_updated_at();

-- Where a folder is: `/` for the root, otherwise the names on the way to it, its own name last.
create function folder_path(company bigint, folder bigint) returns text language sql stable as $$
  with recursive up (id, parent_folder_id, path) as (
    select f.id, f.parent_folder_id, '/' || f.name from folders f where f.company_id = company and f.id = folder
    union all
    select f.id, f.parent_folder_id, '/' || f.name || up.path
    from folders f join up on f.company_id = company and f.id = up.parent_folder_id
  )
  select coalesce((select path from up where parent_folder_id is null), '/')
$$;
