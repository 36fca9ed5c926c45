import { existsSync } from 'node:fs'
import { describe, expect, inject, it } from 'vitest'
import { diwan } from '../support/command.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { Diwan } from '../support/diwan.ts'
import { type Env, newFolder, OPERATOR_TOKEN, SERVER_SECRET, serve, withoutJobs } from '../support/server-process.ts'
import { askPostgres } from '../support/servers.ts'

const init = (env: Env, ...more: string[]) =>
  diwan(env, 'init', '--name', 'شركة نجد', '--owner-name', 'Layla', '--owner-email', 'layla@example.com', ...more)
const REFUSED = {
  code: 1,
  stdout: '',
  stderr: 'diwan: There is a company already: diwan company create makes another on the running server\n',
}

describe('diwan init', () => {
  it('makes the first company on an empty folder, whose owner signs in with what it prints', async () => {
    const env = { DATA_DIR: newFolder(), WORKER: 'off' }
    const { code, stdout } = await init(env, '--time-zone', 'Asia/Riyadh')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^svc_\w+\n$/)])
    expect(await init(env)).toEqual(REFUSED)
    const server = await serve(env)
    const me = await new Diwan(server.url, stdout.trim()).operator.get('/me')
    expect(me.body.data).toMatchObject({ kind: 'person', user: { role: 'owner' }, company: { name: 'شركة نجد' } })
    expect(server.stdout(), 'no demo company beside it').not.toContain('svc_api_')
    await server.end('SIGKILL')
  })

  it('makes nothing of what the administration would refuse', async () => {
    const env = { DATA_DIR: newFolder() }
    const email = await diwan(env, 'init', '--name', 'x', '--owner-name', 'y', '--owner-email', 'nobody')
    expect([email.code, email.stderr]).toEqual([1, 'diwan: owner.email must be an e-mail address\n'])
    expect(existsSync(`${env.DATA_DIR}/database`)).toBe(false)
    const { code, stderr } = await init(env, '--time-zone', 'Mars')
    expect([code, stderr]).toEqual([1, expect.stringContaining('time_zone must be an IANA time zone')])
    expect((await init(env)).code).toBe(0)
  })

  it.skipIf(!inject('postgresUrl'))(
    'makes one on PostgreSQL, also when several try at once, and is audited',
    async () => {
      const { url: DATABASE_URL, drop } = await createPostgresDatabase()
      const env = { DATA_DIR: newFolder(), DATABASE_URL, SERVER_SECRET, OPERATOR_TOKEN }
      const ended = await Promise.all([init(env), init(env), init(env)])
      expect(ended.map(({ code }) => code).toSorted()).toEqual([0, 1, 1])
      expect(ended.filter(({ code }) => code === 1)).toEqual([REFUSED, REFUSED])
      expect(await askPostgres(DATABASE_URL, 'select count(*) from companies')).toBe('1')
      const kept = "select by_kind || ' ' || path || ' ' || target_name from audit_entries where company_id = 0"
      expect(await askPostgres(DATABASE_URL, kept)).toBe('operator diwan init شركة نجد')
      await drop()
    },
  )
})

describe('diwan sign-in-link', () => {
  const redeem = (url: string, link: string) =>
    new Diwan(url, '').client('/admin/v1').post('/sessions', { code: link.trim().split('#code=')[1] })

  it.skipIf(!inject('postgresUrl'))('prints a link that works once, in place of the one before', async () => {
    const { url: DATABASE_URL, drop } = await createPostgresDatabase()
    const env = { DATA_DIR: newFolder(), DATABASE_URL, SERVER_SECRET, OPERATOR_TOKEN, WORKER: 'off' }
    const server = await serve(env)
    const printed = { ...env, PUBLIC_URL: 'https://diwan.example.com' }
    const [first, second] = [await diwan(printed, 'sign-in-link'), await diwan(printed, 'sign-in-link')]
    expect(second.stdout).toMatch(/^https:\/\/diwan\.example\.com\/console#code=svc_link_\w+\n$/)
    expect((await redeem(server.url, first.stdout)).status).toBe(401)
    expect((await redeem(server.url, second.stdout)).body.data.kind).toBe('operator')
    expect((await redeem(server.url, second.stdout)).status).toBe(401)
    const stranger = await diwan(
      { ...env, SERVER_SECRET: 'another secret of enough letters'.replaceAll(' ', '-') },
      'sign-in-link',
    )
    expect(stranger).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^diwan: SERVER_SECRET is not/),
    })
    await server.end('SIGKILL')
    await drop()
  })

  it('is made on a folder that no server has open', async () => {
    const env = withoutJobs()
    const { code, stdout } = await diwan(env, 'sign-in-link')
    expect(code).toBe(0)
    const server = await serve(env)
    expect((await redeem(server.url, stdout)).status).toBe(201)
    await server.end('SIGKILL')
  })

  it('says what is missing on a folder that is empty', async () => {
    const { code, stderr } = await diwan({ DATA_DIR: newFolder() }, 'sign-in-link')
    expect([code, stderr]).toEqual([
      1,
      'diwan: The database has no tables yet: start the server once, or run diwan migrate\n',
    ])
  })
})
