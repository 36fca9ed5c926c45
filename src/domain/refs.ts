import { randomBytes } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import { slugify } from '../lib/slug.ts'

/** 32 characters that are not mistaken for one another: no i, l, o or u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const REF = /^(prj|lst|tsk|mjl|fil)-[0-9a-hjkmnp-tv-z]{10}$/

/** The kinds of records that have slugs: their ref's prefix, and the slug of a name without a letter or digit. */
const KINDS = {
  project: { prefix: 'prj', nameless: 'project' },
  task_list: { prefix: 'lst', nameless: 'list' },
  task: { prefix: 'tsk', nameless: 'task' },
} as const

export type Kind = keyof typeof KINDS

export function newRef(kind: Kind): string {
  let code = ''
  for (const byte of randomBytes(10)) code += ALPHABET[byte & 31]
  return `${KINDS[kind].prefix}-${code}`
}

export function isRef(handle: string): boolean {
  return REF.test(handle)
}

/** The slug for a new or renamed record, as an expression: the database knows which ones are taken. */
export function slugFor(kind: Kind, company: number, parent: number, name: string, record: number | null = null): Sql {
  const wanted = slugify(name) || KINDS[kind].nameless
  return sql`free_slug(${company}, ${kind}, ${parent}, ${record}, ${wanted})`
}

/**
 * The id of the record that a slug names, or named before a rename, as an expression. A slug is unique only within its
 * parent, so it is always resolved through it.
 */
export function idBySlug(kind: Kind, company: number, parent: Sql | number, slug: string): Sql {
  return sql`(select record_id from taken_slugs
              where company_id = ${company} and kind = ${kind} and parent_id = ${parent} and slug = ${slug.normalize('NFC')})`
}
