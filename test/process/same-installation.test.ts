import { describe, expect, inject, it } from 'vitest'
import { diwan } from '../support/command.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { refusal } from '../support/refused-start.ts'
import { launch, newFolder, OPERATOR_TOKEN, SERVER_SECRET, serve } from '../support/server-process.ts'
import { askPostgres, POSTGRES_TEMPLATE } from '../support/servers.ts'

const ANOTHER_SECRET = 'another-server-secret-of-the-process-tests'

async function onPostgres() {
  const { url, drop } = await createPostgresDatabase(POSTGRES_TEMPLATE)
  const env = { DATABASE_URL: url, SERVER_SECRET, OPERATOR_TOKEN, DATA_DIR: newFolder(), WORKER: 'off', DEMO: 'off' }
  return { env, url, drop }
}

describe.skipIf(!inject('postgresUrl'))('A database that was used with another SERVER_SECRET', () => {
  it('stops every start with one line, and doctor says the same', async () => {
    const { env, drop } = await onPostgres()
    await (await serve(env)).end('SIGTERM')
    const other = { ...env, SERVER_SECRET: ANOTHER_SECRET }
    for (const command of ['serve', 'worker'])
      expect(await refusal(launch({ PORT: '0', ...other }, [command]))).toMatch(
        /SERVER_SECRET is not the one .*accept-secret/,
      )
    const examined = await diwan(other, 'doctor', '--json')
    expect(JSON.parse(examined.stdout).findings).toContainEqual(
      expect.objectContaining({ name: 'secrets', state: 'down', advice: expect.stringContaining('accept-secret') }),
    )
    await drop()
  })

  it('works with the new one, and only with that, once it was accepted', async () => {
    const { env, drop } = await onPostgres()
    await diwan(env, 'accept-secret')
    const other = { ...env, SERVER_SECRET: ANOTHER_SECRET }
    expect((await diwan(other, 'accept-secret')).code).toBe(0)
    await (await serve(other)).end('SIGTERM')
    expect(await refusal(launch({ PORT: '0', ...env }))).toContain('SERVER_SECRET')
    await drop()
  })
})

describe.skipIf(!inject('postgresUrl'))('A migration that was edited after it had been applied', () => {
  it('stops a start and diwan migrate with one line that names it, and doctor finds it', async () => {
    const { env, url, drop } = await onPostgres()
    expect((await diwan(env, 'migrate')).stdout).toBe('Nothing to apply: the schema is current\n')
    await askPostgres(url, "update migrations set checksum = 'of another text' where name = '0002_users.sql'")
    for (const command of ['serve', 'migrate'])
      expect(await refusal(launch({ PORT: '0', ...env }, [command]))).toMatch(/^diwan: Edited .*: 0002_users\.sql\. /)
    const { stdout } = await diwan(env, 'doctor', '--json')
    expect(JSON.parse(stdout).findings).toContainEqual(
      expect.objectContaining({
        name: 'migrations',
        state: 'down',
        message: expect.stringContaining('0002_users.sql'),
      }),
    )
    await askPostgres(url, 'alter table migrations drop column checksum')
    expect(await refusal(launch({ PORT: '0', ...env }))).toContain('0001_companies.sql, 0002_users.sql')
    await drop()
  })
})
