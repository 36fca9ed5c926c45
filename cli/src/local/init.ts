import type { Static } from 'typebox'
import { addCompanyWithOwner, NewCompany } from '../../../src/admin/companies.ts'
import type { Config } from '../../../src/config.ts'
import type { Db } from '../../../src/db/db.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { createMint, type Mint } from '../../../src/domain/access/credentials.ts'
import { requireOwnCell } from '../../../src/domain/cells/numbers.ts'
import { hasNoCompany } from '../../../src/domain/installation/first-company.ts'
import { requireSameSecret } from '../../../src/domain/installation/secret-mark.ts'
import { loadSecrets } from '../../../src/domain/installation/secrets.ts'
import { bodyReader } from '../../../src/http/requests/body.ts'
import { parseJsonObject } from '../../../src/lib/json.ts'
import { Failure } from '../frame/command.ts'
import { note, print } from '../frame/output.ts'
import { auditCommand, withDatabase } from './own-database.ts'

interface FirstCompany {
  name: string
  plan: string
  'owner-name': string
  'owner-email': string
  'time-zone': string | undefined
}

/** Creates the first company, on a database that has none. Its owner's token is printed and stored nowhere. */
export async function init(config: Config, options: FirstCompany): Promise<void> {
  const company = readCompany(options)
  const { serverSecret } = await loadSecrets(config.dataDir, config)
  const { id, token } = await withDatabase(config, async database => {
    await migrate(database)
    await requireSameSecret(database.db, serverSecret)
    await requireOwnCell(database.db, config.cell)
    const mint = createMint(serverSecret, config.cell !== undefined)
    return database.db.transaction(tx => addFirst(tx, company, mint))
  })
  note(`Company ${id} has been created. The token of its owner, shown this once:`)
  print(token)
}

/** Checked by the rules of the administration surface, with its messages. */
function readCompany({ name, plan, ...options }: FirstCompany): Static<typeof NewCompany> {
  const company = {
    name,
    plan,
    time_zone: options['time-zone'] ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    rest_api: true,
    owner: { name: options['owner-name'], email: options['owner-email'] },
  }
  return bodyReader(NewCompany)(parseJsonObject(Buffer.from(JSON.stringify(company))), () => {})
}

async function addFirst(tx: Db, company: Static<typeof NewCompany>, mint: Mint) {
  if (!(await hasNoCompany(tx)))
    throw new Failure('There is a company already: diwan company create makes another on the running server')
  const made = await addCompanyWithOwner({ db: tx, mint }, company)
  await auditCommand(tx, 'init', 'companies:write', { target: { type: 'company', id: made.id, name: company.name } })
  return made
}
