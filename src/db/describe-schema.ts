import type { Db } from './db.ts'

/** The definition of a table, of something that belongs to one, or of something independent. */
interface Part {
  /** The name of the table, if there is one. */
  name: string
  definition: string
}

const HEADING = `-- What the migrations add up to, for people to read: \`npm run schema\` writes it from the catalog of a new database.
-- Why things are as they are is explained in the migrations.
`

/**
 * The schema as SQL, read from the catalog: the same text on every engine that has the same schema. Tables are in the order of
 * their names, so it is for reading, not for running. What other libraries put into the database is left out.
 */
export async function describeSchema(db: Db): Promise<string> {
  const parts = (query: string) => db.raw<Part>(query, [])
  const inside = [...(await parts(COLUMNS)), ...(await parts(CONSTRAINTS))]
  const after = [...(await parts(PLANNING)), ...(await parts(INDEXES)), ...(await parts(TRIGGERS))]
  const tables = (await parts(TABLES)).map(({ name, definition }) => {
    const of = (all: Part[]) => all.filter(part => part.name === name).map(part => part.definition)
    const lines = of(inside).map(line => `  ${line}`)
    return [`CREATE TABLE ${name} (\n${lines.join(',\n')}\n)${definition}`, ...of(after), ''].join(';\n')
  })
  const others = [...(await parts(VIEWS)), ...(await parts(TYPES)), ...(await parts(FUNCTIONS))]
  return [HEADING, ...tables, ...others.map(({ definition }) => `${definition};\n`)].join('\n')
}

/** The embedded database has a table that PostgreSQL does not need: it checks with it whether writes are flushed. */
const OURS = `c.relnamespace = 'public'::regnamespace and c.relname <> 'durability_probe'`
const OUR_TABLES = `${OURS} and c.relkind = 'r'`

const TABLES = `
  select c.relname as name, coalesce(' WITH (' || array_to_string(c.reloptions, ', ') || ')', '') as definition
  from pg_class c where ${OUR_TABLES} order by c.relname`

const COLUMNS = `
  select c.relname as name, concat_ws(' ', quote_ident(a.attname),
    replace(format_type(a.atttypid, a.atttypmod), 'timestamp with time zone', 'timestamptz'),
    case when a.attcollation <> t.typcollation then 'COLLATE ' || quote_ident(l.collname) end,
    case when a.attnotnull then 'NOT NULL' end,
    case
      when a.attidentity = 'a' then 'GENERATED ALWAYS AS IDENTITY'
      when a.attgenerated = 's' then
        'GENERATED ALWAYS AS (' || ltrim(regexp_replace(pg_get_expr(d.adbin, d.adrelid, true), '\\n *', ' ', 'g')) || ') STORED'
      else 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid, true)
    end) as definition
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  left join pg_collation l on l.oid = a.attcollation
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where ${OUR_TABLES} order by a.attnum`

/** Primary key, unique, foreign key and check constraints. From PostgreSQL 18 on the catalog lists NOT NULL among them too. */
const CONSTRAINTS = `
  select c.relname as name, pg_get_constraintdef(k.oid, true) as definition
  from pg_class c join pg_constraint k on k.conrelid = c.oid
  where ${OUR_TABLES} and k.contype in ('p', 'u', 'f', 'c')
  order by position(k.contype::text in 'pufc'), pg_get_constraintdef(k.oid, true) collate "C"`

/** What the planner is told about the values of columns. */
const PLANNING = `
  select c.relname as name, 'ALTER TABLE ' || quote_ident(c.relname) || string_agg(
    ' ALTER COLUMN ' || quote_ident(a.attname) || ' SET (' || array_to_string(a.attoptions, ', ') || ')', ','
    order by a.attnum) as definition
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attoptions is not null
  where ${OUR_TABLES} group by c.relname`

/** Without those that belong to a constraint. */
const INDEXES = `
  select c.relname as name, pg_get_indexdef(i.indexrelid, 0, true) as definition
  from pg_class c join pg_index i on i.indrelid = c.oid join pg_class x on x.oid = i.indexrelid
  where ${OUR_TABLES} and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
  order by x.relname`

const TRIGGERS = `
  select c.relname as name, pg_get_triggerdef(g.oid, true) as definition
  from pg_class c join pg_trigger g on g.tgrelid = c.oid and not g.tgisinternal
  where ${OUR_TABLES} order by g.tgname`

/** Before PostgreSQL 16 each column of a view was qualified with the name of its table. */
const VIEWS = `
  select c.relname as name, 'CREATE VIEW ' || quote_ident(c.relname) || E' AS\\n'
    || rtrim(regexp_replace(pg_get_viewdef(c.oid, true), '\\m[a-z_]+\\.', '', 'g'), ';') as definition
  from pg_class c where ${OURS} and c.relkind = 'v' order by c.relname`

const TYPES = `
  select c.relname as name, 'CREATE TYPE ' || quote_ident(c.relname) || ' AS (' || string_agg(
    quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum) || ')' as definition
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where ${OURS} and c.relkind = 'c' group by c.relname order by c.relname`

const FUNCTIONS = `
  select p.proname as name, rtrim(replace(pg_get_functiondef(p.oid),
    'CREATE OR REPLACE FUNCTION public.', 'CREATE FUNCTION '), E'\\n') as definition
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  order by p.proname`
