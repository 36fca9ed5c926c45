import type { Access, Operation, Right } from './operations.ts'
import type { Plan } from './plans.ts'

export interface Company {
  id: number
  name: string
  time_zone: string
  plan: Plan
  rest_api: boolean
  daily_calls: number | null
  subscription: 'active' | 'read_only'
  version: number
}

/** The person who created the key. A signature under what the key did, not the identity that a call runs as. */
export interface Signature {
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

export interface Caller {
  company: Company
  key: ApiKey
  signature: Signature
}
