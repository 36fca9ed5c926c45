import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Redis } from 'ioredis'
import type pg from 'pg'

/** The ways in which a secret could be written down, each as bytes. */
function formsOf(secret: string): [form: string, bytes: Buffer][] {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  // Among other bytes it begins at any of three places of a group; what depends on its neighbours is left out.
  const base64 = [0, 1, 2].map(before => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    return whole.slice(before === 0 ? 0 : before + 1, -2)
  })
  const url = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')
  const forms: [string, string][] = [
    ['in clear', secret],
    ['as hexadecimal', hex],
    ['as hexadecimal', hex.toUpperCase()],
    ['percent-encoded', encodeURIComponent(secret)],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ...base64.flatMap((text): [string, string][] => [
      ['as base64', text],
      ['as base64url', url(text)],
    ]),
  ]
  // Of several that are written alike, the plainest names it.
  return [...new Map(forms.toReversed().map(([form, text]) => [text, form]))].map(([text, form]) => [
    form,
    Buffer.from(text),
  ])
}

/** Each place in which a secret was found, and how it is written there. */
export function findSecrets(secrets: Record<string, string>, places: Map<string, Buffer>): string[] {
  const forms = Object.entries(secrets).flatMap(([name, secret]) =>
    formsOf(secret).map(([form, bytes]) => ({ name, form, bytes })),
  )
  return [...places].flatMap(([place, content]) =>
    forms.flatMap(({ name, form, bytes }) => (content.includes(bytes) ? [`${name}, ${form}, in ${place}`] : [])),
  )
}

/** Every file below a folder; of a packed one also what is packed. */
export function filesBelow(folder: string, what: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = readFileSync(path)
    const name = `${what}: ${path.slice(folder.length + 1)}`
    files.set(name, bytes)
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) files.set(`${name}, unpacked`, gunzipSync(bytes))
  }
  return files
}

/** Every row of every table, in all schemas. */
export async function rowsOf(pool: pg.Pool): Promise<Map<string, Buffer>> {
  const { rows } = await pool.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)'`)
  const tables = new Map<string, Buffer>()
  for (const { name } of rows) {
    const found = await pool.query<{ row: string }>(`select t::text as row from ${name} t`)
    tables.set(`table ${name}`, Buffer.from(found.rows.map(({ row }) => row).join('\n')))
  }
  return tables
}

/** Every name and every value in Redis. */
export async function redisEntries(url: string): Promise<Map<string, Buffer>> {
  const redis = new Redis(url)
  const read: Record<string, (key: string) => Promise<unknown>> = {
    string: key => redis.get(key),
    zset: key => redis.zrange(key, '0', '-1'),
    hash: key => redis.hgetall(key),
    set: key => redis.smembers(key),
    list: key => redis.lrange(key, 0, -1),
  }
  const entries: string[] = []
  for (const key of await redis.keys('*')) entries.push(key, JSON.stringify(await read[await redis.type(key)]?.(key)))
  redis.disconnect()
  return new Map([['Redis', Buffer.from(entries.join('\n'))]])
}
