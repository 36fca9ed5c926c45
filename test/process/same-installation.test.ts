import { expect, inject, it } from 'vitest'
import { diwan } from '../support/command.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { describeWith } from '../support/describe-with.ts'
import { refusal } from '../support/refused-start.ts'
import { type Env, launch, serve, withPostgres } from '../support/server-process.ts'
import { askPostgres, POSTGRES_TEMPLATE } from '../support/servers.ts'

describeWith('postgres', 'A database server', () => {
  async function newEnv() {
    const { url, drop } = await createPostgresDatabase(POSTGRES_TEMPLATE)
    return { env: withPostgres(url, { PORT: '0', WORKER: 'off', DEMO: 'off' }), url, drop }
  }
  const findings = async (env: Env) => JSON.parse((await diwan(env, 'doctor', '--json')).stdout).findings

  it('without the database that is named stops the start with one line, without the password', async () => {
    const url = new URL(inject('postgresUrl') as string)
    Object.assign(url, { pathname: '/no_such_database', password: 'hidden-word' })
    const line = await refusal(launch(withPostgres(url.href)))
    expect(line).toMatch(/DATABASE_URL.*no_such_database/)
    expect(line).not.toContain('hidden-word')
  })

  it('that was used with another SERVER_SECRET stops every start with one line, until the new one is accepted', async () => {
    const { env, drop } = await newEnv()
    await (await serve(env)).end('SIGTERM')
    const other = { ...env, SERVER_SECRET: 'another-server-secret-of-the-process-tests' }
    for (const command of ['serve', 'worker'])
      expect(await refusal(launch(other, [command]))).toMatch(/SERVER_SECRET is not the one .*accept-secret/)
    expect(await findings(other)).toContainEqual(
      expect.objectContaining({ name: 'secrets', state: 'down', advice: expect.stringContaining('accept-secret') }),
    )
    expect((await diwan(other, 'accept-secret')).code).toBe(0)
    await (await serve(other)).end('SIGTERM')
    expect(await refusal(launch(env))).toContain('SERVER_SECRET')
    await drop()
  })

  it('with a migration that was edited after it had been applied stops a start and diwan migrate with one line', async () => {
    const { env, url, drop } = await newEnv()
    expect((await diwan(env, 'migrate')).stdout).toBe('Nothing to apply: the schema is current\n')
    await askPostgres(url, "update migrations set checksum = 'of another text' where name = '0002_users.sql'")
    for (const command of ['serve', 'migrate'])
      expect(await refusal(launch(env, [command]))).toMatch(/^diwan: Edited .*: 0002_users\.sql\. /)
    expect(await findings(env)).toContainEqual(
      expect.objectContaining({
        name: 'migrations',
        state: 'down',
        message: expect.stringContaining('0002_users.sql'),
      }),
    )
    await askPostgres(url, 'alter table migrations drop column checksum')
    expect(await refusal(launch(env))).toContain('0001_companies.sql, 0002_users.sql')
    await drop()
  })
})
