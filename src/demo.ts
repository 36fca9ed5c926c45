import { addCompany } from './admin/companies.ts'
import { addDemoRecords, type FileParts } from './admin/demo-records.ts'
import { addUser } from './admin/users.ts'
import type { Db } from './db/db.ts'
import type { Mint } from './domain/access/credentials.ts'
import { addKey } from './domain/access/keyring.ts'
import { hasNoCompany } from './domain/installation/first-company.ts'

const COMPANY = { name: 'Diwan Demo', time_zone: 'Asia/Riyadh', plan: 'productive', rest_api: true } as const
const OWNER = { name: 'Layla Haddad', email: 'layla@example.com', role: 'owner', can_manage_api_keys: true } as const

/** Fills an empty database with a company to play with. Returns its key, which is stored nowhere. */
export function seedDemo(db: Db, wanted: boolean, mint: Mint, parts: FileParts): Promise<string | undefined> {
  return db.transaction(async tx => {
    if (!wanted || !(await hasNoCompany(tx))) return undefined
    const companyId = await addCompany(tx, COMPANY)
    const owner = await addUser(tx, companyId, OWNER)
    await addDemoRecords(tx, { ...COMPANY, id: companyId, owner }, parts)
    return addKey(tx, { company_id: companyId, name: 'Demo', created_by: owner.id }, mint)
  })
}
