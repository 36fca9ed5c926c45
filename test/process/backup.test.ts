import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, it } from 'vitest'
import type { Client } from '../support/diwan.ts'
import { documented } from '../support/documented.ts'
import { findParts } from '../support/parts.ts'
import { type Env, newFolder, OPERATOR_TOKEN, SERVER_SECRET, serve } from '../support/server-process.ts'
import { askPostgres, until } from '../support/servers.ts'

const DOCUMENT = 'docs/running-in-production.md'
const [dumpAndCopy = '', restoreAndVerify = ''] = documented(DOCUMENT, 'Backup with pg_dump')
const [createRole = '', createDatabase = ''] = (documented(DOCUMENT, 'PostgreSQL', 'sql')[0] ?? '').split(';\n')

const unique = () => `backup_${process.pid}_${Math.random().toString(36).slice(2)}`

/** Creates a database, as the document says, with a role that owns it and nothing else. */
async function newDatabase(role?: string): Promise<{ role: string; url: string }> {
  const server = new URL(inject('postgresUrl') as string)
  const [owner, name] = [role ?? unique(), unique()]
  if (!role) await askPostgres(server.href, createRole.replace('role diwan', `role ${owner}`))
  await askPostgres(
    server.href,
    createDatabase.replace('database diwan owner diwan', `database ${name} owner ${owner}`),
  )
  return { role: owner, url: Object.assign(server, { username: owner, pathname: `/${name}` }).href }
}

/** Runs commands of the document. */
async function follow(commands: string, env: Env, backup: string): Promise<{ code: number; stdout: string }> {
  const path = [findParts().postgres, process.env.PATH].join(delimiter)
  const settings = { env: { ...env, PATH: path } }
  return promisify(execFile)('sh', ['-euc', commands.replaceAll('/backup', backup)], settings).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout, stderr }) => {
      if (stderr) throw new Error(stderr)
      return { code, stdout }
    },
  )
}

async function upload(api: Client, files: string, name: string, bytes: Buffer) {
  const { body } = await api.post(files, { name, content_base64: bytes.toString('base64') })
  const file = { ...body.data, path: `${files}/${body.data.ref}` }
  await until(async () => (await api.get(file.path)).body.data.scan_state === 'clean')
  return file
}

describe.skipIf(!inject('postgresUrl'))('The documented backup with pg_dump', () => {
  const secrets = { SERVER_SECRET, OPERATOR_TOKEN, BURST_PER_MINUTE: '0' }

  it('brings every file back, and names what was removed between the dump and the copy', async () => {
    const first = await newDatabase()
    const env = { ...secrets, DATABASE_URL: first.url, DATA_DIR: newFolder() }
    const server = await serve(env)
    const company = await server.diwan.company()
    const files = `/projects/${(await server.diwan.project(company)).id}/files`
    const bytes = randomBytes(100_000)
    const kept = await upload(company.api, files, 'kept.bin', bytes)

    // The server keeps running meanwhile.
    const backup = newFolder()
    expect((await follow(dumpAndCopy, env, backup)).code).toBe(0)
    const restored = { ...secrets, DATABASE_URL: (await newDatabase(first.role)).url, DATA_DIR: newFolder() }
    expect(await follow(restoreAndVerify, restored, backup)).toEqual({
      code: 0,
      stdout: '1 file checked, 0 without their bytes, 0 contents without a file\n',
    })
    const second = await serve(restored)
    const download = await fetch(`${second.url}/api/v1${kept.path}/download`, {
      headers: { authorization: `Bearer ${company.key}` },
    })
    expect([download.status, Buffer.from(await download.arrayBuffer()).equals(bytes)]).toEqual([200, true])
    await second.end('SIGTERM')

    const doomed = await upload(company.api, files, 'doomed.bin', Buffer.from('doomed'))
    const later = newFolder()
    const [dump = '', copy = ''] = dumpAndCopy.trim().split('\n')
    expect((await follow(dump, env, later)).code).toBe(0)
    const digest = await askPostgres(first.url, `select digest from files where ref = '${doomed.ref}'`)
    const stored = join(env.DATA_DIR, 'files', String(company.id), digest.slice(0, 2), digest)
    expect(existsSync(stored)).toBe(true)
    await company.api.delete(`/files/${doomed.ref}`)
    await until(async () => !existsSync(stored))
    await upload(company.api, files, 'late.bin', Buffer.from('late'))
    expect((await follow(copy, env, later)).code).toBe(0)
    await server.end('SIGTERM')

    const again = { ...secrets, DATABASE_URL: (await newDatabase(first.role)).url, DATA_DIR: newFolder() }
    expect(await follow(restoreAndVerify, again, later)).toEqual({
      code: 1,
      stdout:
        `${doomed.ref} of company ${company.id}: its bytes are missing (${digest})\n` +
        '2 files checked, 1 without their bytes, 1 content without a file\n',
    })
  })
})
