import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, it } from 'vitest'
import { describeWith } from '../support/describe-with.ts'
import { documented } from '../support/documented.ts'
import { type Env, newFolder, serve, withPostgres } from '../support/server-process.ts'
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
  const database = createDatabase.replace('database diwan owner diwan', `database ${name} owner ${owner}`)
  await askPostgres(server.href, database)
  return { role: owner, url: Object.assign(server, { username: owner, pathname: `/${name}` }).href }
}

describeWith('postgres', 'The documented backup with pg_dump', ({ postgres }) => {
  /** Runs commands of the document. */
  async function follow(commands: string, env: Env, backup: string): Promise<{ code: number; stdout: string }> {
    const settings = { env: { ...env, PATH: [postgres, process.env.PATH].join(delimiter) } }
    return promisify(execFile)('sh', ['-euc', commands.replaceAll('/backup', backup)], settings).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout, stderr }) => {
        if (stderr) throw new Error(stderr)
        return { code, stdout }
      },
    )
  }

  it('brings every file back, and names what was removed between the dump and the copy', async () => {
    const first = await newDatabase()
    const env = withPostgres(first.url)
    const server = await serve(env)
    const company = await server.diwan.company()
    const { id, key, api } = company
    const files = `/projects/${(await server.diwan.project(company)).id}/files`
    const upload = async (name: string) => {
      const { ref } = (await api.post(files, { name, content: `What is in ${name}` })).body.data
      await until(async () => (await api.get(`${files}/${ref}`)).body.data.scan_state === 'clean')
      return ref as string
    }
    const kept = await upload('kept.txt')

    // The server keeps running meanwhile.
    const backup = newFolder()
    expect((await follow(dumpAndCopy, env, backup)).code).toBe(0)
    const restored = withPostgres((await newDatabase(first.role)).url)
    expect(await follow(restoreAndVerify, restored, backup)).toEqual({
      code: 0,
      stdout: '1 file checked, 0 without their bytes, 0 contents without a file\n',
    })
    const second = await serve(restored)
    const { status, body } = await second.diwan.api(key).get(`${files}/${kept}/download`)
    expect([status, body]).toEqual([200, 'What is in kept.txt'])
    await second.end('SIGTERM')

    const doomed = await upload('doomed.txt')
    const later = newFolder()
    const [dump = '', copy = ''] = dumpAndCopy.trim().split('\n')
    expect((await follow(dump, env, later)).code).toBe(0)
    const digest = await askPostgres(first.url, `select digest from files where ref = '${doomed}'`)
    const stored = join(env.DATA_DIR as string, 'files', String(id), digest.slice(0, 2), digest)
    expect(existsSync(stored)).toBe(true)
    await api.delete(`/files/${doomed}`)
    await until(async () => !existsSync(stored))
    await upload('late.txt')
    expect((await follow(copy, env, later)).code).toBe(0)
    await server.end('SIGTERM')
    expect(await follow(restoreAndVerify, withPostgres((await newDatabase(first.role)).url), later)).toEqual({
      code: 1,
      stdout:
        `${doomed} of company ${id}: its bytes are missing (${digest})\n` +
        '2 files checked, 1 without their bytes, 1 content without a file\n',
    })
  })
})
