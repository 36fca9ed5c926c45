import type { Db } from '../../db/db.ts'
import type { Access, Operation, Right } from './operations.ts'
import type { Plan } from './plans.ts'

export const SUBSCRIPTIONS = ['active', 'read_only'] as const

export interface Company {
  id: number
  name: string
  time_zone: string
  plan: Plan
  rest_api: boolean
  daily_calls: number | null
  subscription: (typeof SUBSCRIPTIONS)[number]
  version: number
  sandbox: boolean
}

/** The person who created the key. What the key does is signed with this name, but a call does not run as this person. */
interface Signer {
  id: number
  name: string
  email: string
}

export interface ApiKey {
  id: number
  name: string
  access: Access
  operations: Operation[]
  rights: Right[]
  expires_at: string | null
}

/** What is needed to read something of a company; every call of the API has it. */
export interface Scope {
  db: Db
  company: Pick<Company, 'id'>
}

/** What is needed to add something: also who signs it. */
export interface Author extends Scope {
  signer: Pick<Signer, 'id'>
}

export interface Caller {
  company: Company
  key: ApiKey
  signer: Signer
  /** Keys and leaders see every project of the company; a member who is signed in sees some. See `sight.ts`. */
  sight: 'company' | 'member'
  /** For people and the operator: the token or session that they came with. */
  signedIn?: { digest: Buffer; isSession: boolean }
}
