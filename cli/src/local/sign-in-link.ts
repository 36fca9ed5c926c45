import type { Config } from '../../../src/config.ts'
import { errorCode } from '../../../src/db/failures.ts'
import { replaceLink } from '../../../src/domain/installation/first-link.ts'
import { requireSameSecret } from '../../../src/domain/installation/secret-mark.ts'
import { loadSecrets } from '../../../src/domain/installation/secrets.ts'
import { Failure } from '../frame/command.ts'
import { note, print } from '../frame/output.ts'
import { addressOf } from '../remote/server.ts'
import { auditCommand, withDatabase } from './own-database.ts'

const NO_SUCH_TABLE = '42P01'

export async function printSignInLink(config: Config): Promise<void> {
  const { serverSecret } = await loadSecrets(config.dataDir, config)
  const code = await withDatabase(config, ({ db }) =>
    db.transaction(async tx => {
      await requireSameSecret(tx, serverSecret)
      const made = await replaceLink(tx, serverSecret)
      const target = { type: 'session', id: 'link', name: 'operator' } as const
      await auditCommand(tx, 'sign-in-link', 'sessions:write', { target })
      return made
    }),
  ).catch(error => {
    if (errorCode(error) !== NO_SUCH_TABLE) throw error
    throw new Failure('The database has no tables yet: start the server once, or run diwan migrate')
  })
  note('Whoever opens this link first, within 10 minutes, is the operator:')
  print(`${config.publicUrl ?? addressOf(undefined)}/console#code=${code}`)
}
