import type { Config } from '../../../src/config.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { replaceSecretMark } from '../../../src/domain/installation/secret-mark.ts'
import { loadSecrets } from '../../../src/domain/installation/secrets.ts'
import { note } from '../frame/output.ts'
import { auditCommand, withDatabase } from './own-database.ts'

/** Has the database used with another server secret from now on. Nothing that was made under the earlier one works with it. */
export async function acceptSecret(config: Config): Promise<void> {
  const { serverSecret } = await loadSecrets(config.dataDir, config)
  await withDatabase(config, async database => {
    await migrate(database)
    await database.db.transaction(async tx => {
      await replaceSecretMark(tx, serverSecret)
      const target = { type: 'session', id: 'secret', name: 'operator' } as const
      await auditCommand(tx, 'accept-secret', 'sessions:write', { target, changes: { secret: null } })
    })
  })
  note('The database is used with this SERVER_SECRET from now on. Restart every node and worker with it.')
  note('Make new API keys and tokens, send the passwords of calendars again, and rotate the secrets of webhooks.')
}
