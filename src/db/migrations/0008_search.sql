-- Names as they are searched for: one spelling for what a reader takes for the same word. The order matters: Arabic
-- letters are folded while they are whole, because decomposing first would split أ into ا and a mark.
create function search_name(name text) returns text language sql immutable strict parallel safe as $$
  select btrim(regexp_replace(
    regexp_replace(
      lower(normalize(
        replace(replace(replace(replace(
          translate(normalize(name, NFKC),
            'أإآٱىئیؤکة٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹øØłŁđĐħĦıŧŦ',
            'اااايييوكه01234567890123456789oOlLdDhHitT'),
          'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'œ', 'oe'),
        NFKD)),
      -- Accents, vowels and Quranic marks, tatweel, what has no width, and what only turns the direction.
      '[\u0300-\u036f\u0483-\u0487\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08ca-\u08e1\u08e3-\u08ff\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]+',
      '', 'g'),
    -- Everything between words.
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u02c2-\u02df\u0589\u05be\u05f3\u05f4\u060c\u060d\u061b\u061d-\u061f\u066a-\u066d\u06d4\u06dd\u06de\u06e9\u2010-\u2027\u2028\u2029\u202f-\u205f\u2190-\u2bff\u2e00-\u2e7f\u3000-\u303f\ufd3e\ufd3f\ufdfc\ufdfd\ufe10-\ufe6b\uff00-\uff0f\uff1a-\uff20]+',
    ' ', 'g'))
$$;

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

alter table projects add column search_name text generated always as (search_name(name)) stored;
alter table task_lists add column search_name text generated always as (search_name(title)) stored;
alter table tasks add column search_name text generated always as (search_name(title)) stored;
alter table folders add column search_name text generated always as (search_name(name)) stored;
alter table files add column search_name text generated always as (search_name(name)) stored;
alter table discussions add column search_name text generated always as (search_name(title)) stored;

create index projects_search on projects using gin (company_id, search_name gin_trgm_ops);
create index task_lists_search on task_lists using gin (company_id, search_name gin_trgm_ops);
create index tasks_search on tasks using gin (company_id, search_name gin_trgm_ops);
create index folders_search on folders using gin (company_id, search_name gin_trgm_ops);
create index files_search on files using gin (company_id, search_name gin_trgm_ops);
create index discussions_search on discussions using gin (company_id, search_name gin_trgm_ops);
