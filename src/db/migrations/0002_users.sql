-- People, and how they sign in.

create table users (
  company_id bigint not null references companies,
  id bigint generated always as identity,
  name text not null,
  email text not null,
  role text not null check (role in ('owner', 'manager', 'member')),
  can_manage_api_keys boolean not null default false,
  active boolean not null default true,
  language text not null default 'en' check (language in ('en', 'ar')),
  created_at timestamptz not null default now(),
  -- When the first token was made. It stays when tokens are revoked: somebody who has signed in once is no newcomer.
  first_token_at timestamptz,
  primary key (company_id, id)
);
alter table users alter column company_id set (n_distinct = 3);
create unique index users_email on users (company_id, lower(email));
-- For whoever comes with an address and no company: from the identity provider.
create index users_any_email on users (lower(email));

create trigger users_raise_version after update of name, email on users
  for each row execute function raise_company_version();

-- Tokens of people and keys of the API are kept apart, so that neither ever opens the other's door. Both are looked up by
-- digest alone, because the company is not known yet.
create table personal_tokens (
  company_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  name text not null,
  digest bytea not null,
  last_four text not null,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, user_id) references users
);
alter table personal_tokens alter column company_id set (n_distinct = 3);
create unique index personal_tokens_digest on personal_tokens (digest);
create index personal_tokens_user on personal_tokens (company_id, user_id, id);

create function note_first_token() returns trigger language plpgsql as $$
begin
  update users set first_token_at = now()
  where company_id = new.company_id and id = new.user_id and first_token_at is null;
  return null;
end $$;

create trigger personal_tokens_note_first after insert on personal_tokens
  for each row execute function note_first_token();

-- The open invitation of a person: the code that was mailed, and the one that was shown to whoever made the invitation. They
-- differ, because only the first is known to nobody but the person. One that has been used, replaced or withdrawn is deleted.
create table invitations (
  company_id bigint not null,
  user_id bigint not null,
  way text not null check (way in ('mailed', 'shown')),
  digest bytea not null,
  expires_at timestamptz not null,
  -- The code, encrypted, until it has been mailed.
  code_to_mail bytea,
  primary key (company_id, user_id, way),
  foreign key (company_id, user_id) references users
);
alter table invitations alter column company_id set (n_distinct = 3);
create unique index invitations_digest on invitations (digest);

-- The code was given out for the person as they were then: with another role or address it must not work.
create function delete_invitation() returns trigger language plpgsql as $$
begin
  delete from invitations where company_id = new.company_id and user_id = new.id;
  return null;
end $$;

create trigger users_delete_invitation after update of role, can_manage_api_keys, email, active on users
  for each row when ((old.role, old.can_manage_api_keys, old.email, old.active)
    is distinct from (new.role, new.can_manage_api_keys, new.email, new.active))
  execute function delete_invitation();
