import { expect, inject, it } from 'vitest'
import { diwan as spawned } from '../support/command.ts'
import { diwan } from '../support/command-in-process.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { describeWith } from '../support/describe-with.ts'
import { Diwan } from '../support/diwan.ts'
import { faultsIn, found } from '../support/doctor.ts'
import { type Env, newFolder, OPERATOR_TOKEN, SERVER_SECRET, serve } from '../support/server-process.ts'
import { askPostgres, POSTGRES_TEMPLATE } from '../support/servers.ts'

const envOn = (DATABASE_URL: string): Env => ({ DATA_DIR: newFolder(), DATABASE_URL, SERVER_SECRET, OPERATOR_TOKEN })
const faults = (url: string, more: Env = {}) => faultsIn({ ...envOn(url), ...more })

describeWith('postgres', 'diwan doctor with PostgreSQL', () => {
  it('finds tables that are missing, those of a later version, a clock that is wrong and a pool that is too large', async () => {
    const empty = await createPostgresDatabase()
    expect(await faults(empty.url)).toEqual([found('migrations', /no tables yet/, /diwan migrate/)])
    await empty.drop()
    const { url, drop } = await createPostgresDatabase(POSTGRES_TEMPLATE)
    expect(await faults(url)).toEqual([])
    expect(await faults(url, { DATABASE_POOL_SIZE: '400' })).toEqual([
      found('database', /404 connections/, /DATABASE_POOL_SIZE/),
    ])
    const code = 'const now = Date.now; Date.now = () => now() - 60_000'
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(code)}`
    const behind = found('clock', /^The clock of the database is (5[5-9]|6[0-4])\.\d s ahead/, /NTP/)
    expect(await faults(url, { NODE_OPTIONS })).toEqual([behind])
    await askPostgres(url, "update migrations set name = '9999_later.sql' where name like '0017%'")
    expect(await faults(url)).toEqual([found('migrations', /newer than this program: 9999_later/, /newer version/)])
    await askPostgres(url, "update migrations set oldest_release = '99.0.0' where name = '9999_later.sql'")
    expect(await faults(url)).toEqual([found('migrations', /9999_later.*cannot work with it/, /newer version/)])
    await askPostgres(url, "delete from migrations where name = '9999_later.sql'")
    expect(await faults(url)).toEqual([found('migrations', /Not applied yet: 0017/, /diwan migrate/)])
    await drop()
  })

  it('finds a ctype that knows no Arabic, another encoding, and a server that takes no writes', async () => {
    const server = new URL(inject('postgresUrl') as string)
    for (const [encoding, message, advice] of [
      ['UTF8', /LC_CTYPE/, /lc_ctype 'C\.UTF-8'/],
      ['LATIN1', /LATIN1/, /UTF8/],
    ] as const) {
      const name = `doctor_${encoding.toLowerCase()}_${process.pid}`
      const settings = `encoding '${encoding}' lc_ctype 'C' lc_collate 'C'`
      await askPostgres(server.href, `create database ${name} template template0 ${settings}`)
      const url = Object.assign(new URL(server), { pathname: `/${name}` }).href
      expect(await faults(url)).toContainEqual(found('database', message, advice))
      await askPostgres(server.href, `drop database ${name} with (force)`)
    }
    const { url, drop } = await createPostgresDatabase(POSTGRES_TEMPLATE)
    await askPostgres(url, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
    expect(await faults(url)).toEqual([found('database', /no writes/, /primary/)])
    await drop()
  })
})

describeWith('postgres', 'A new installation on PostgreSQL', () => {
  it('gets one first company, also when several commands make it at once, and that is audited', async () => {
    const { url, drop } = await createPostgresDatabase()
    const words = ['init', '--name', 'شركة نجد', '--owner-name', 'Layla', '--owner-email', 'layla@example.com']
    const ended = await Promise.all([1, 2, 3].map(() => spawned(envOn(url), ...words)))
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 1, 1])
    expect(await askPostgres(url, 'select count(*) from companies')).toBe('1')
    const kept = "select by_kind || ' ' || path || ' ' || target_name from audit_entries where company_id = 0"
    expect(await askPostgres(url, kept)).toBe('operator diwan init شركة نجد')
    await drop()
  })

  it('lets the operator in by a sign-in link that works once, in place of the one before', async () => {
    const { url, drop } = await createPostgresDatabase()
    const env = envOn(url)
    const server = await serve({ ...env, WORKER: 'off' })
    const redeem = (link: string) =>
      new Diwan(server.url, '').client('/admin/v1').post('/sessions', { code: link.trim().split('#code=')[1] })
    const [first, second] = [await diwan(env, 'sign-in-link'), await diwan(env, 'sign-in-link')]
    expect((await redeem(first.stdout)).status).toBe(401)
    expect((await redeem(second.stdout)).body.data.kind).toBe('operator')
    expect((await redeem(second.stdout)).status).toBe(401)
    const stranger = await diwan({ ...env, SERVER_SECRET: 'another-secret-of-enough-letters' }, 'sign-in-link')
    expect(stranger).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^diwan: SERVER_SECRET is not/),
    })
    await server.end('SIGKILL')
    await drop()
  })
})
