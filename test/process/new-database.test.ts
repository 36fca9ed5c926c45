import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEmbedded } from '../../src/db/embedded.ts'
import { startEngine } from '../../src/db/engine.ts'
import { unpackCluster } from '../../src/db/new-cluster.ts'
import { newFolder } from '../support/server-process.ts'

const CATALOGS = `
  select relname as name, (xpath('/row/rows/text()', query_to_xml(format(
    'select md5(coalesce(string_agg(r::text, E''\n'' order by r::text), '''')) as rows from %I r', relname), false, true, '')))[1]::text as rows
  from pg_class where relnamespace = 'pg_catalog'::regnamespace and relkind = 'r'
  order by relname`
const SETTINGS = `select name, setting from pg_settings where source = 'configuration file' order by name`
const DATABASES = `
  select datname, pg_encoding_to_char(encoding) as encoding, datcollate, datctype, datlocprovider from pg_database order by datname`

/** The whole content of the catalogs. In a folder without a cluster, the engine creates one itself. */
async function described(folder: string) {
  const { pglite, close } = await startEngine(folder, reason => {
    throw new Error(reason)
  })
  const results = await pglite.exec(`${CATALOGS}; ${SETTINGS}; ${DATABASES}`)
  await close()
  const [catalogs = [], settings, databases] = results.map(({ rows }) => rows)
  return { catalogs, settings, databases }
}

describe('A new embedded database', () => {
  it('is what initdb makes in this version of the engine: npm run cluster writes it', async () => {
    const [unpacked, made] = [join(newFolder(), 'database'), join(newFolder(), 'database')]
    await unpackCluster(unpacked)
    const expected = await described(made)
    expect(expected.catalogs.length).toBeGreaterThan(60)
    expect(await described(unpacked)).toEqual(expected)
  })

  it('has an identity of its own, which it keeps: cursors of the feed lead into no other', async () => {
    const folders = [newFolder(), newFolder()]
    const identities = []
    for (const folder of [...folders, ...folders]) {
      const { db, close } = await openEmbedded(folder, error => expect.fail(error.message))
      identities.push(
        (await db.raw<{ id: string }>('select system_identifier::text as id from pg_control_system()', []))[0]?.id,
      )
      await close()
    }
    expect(new Set(identities.slice(0, 2)).size).toBe(2)
    expect(identities.slice(2)).toEqual(identities.slice(0, 2))
  })
})
