import { OPERATIONS } from './operations.ts'

/** The names of administration operations. No key can hold them: each endpoint says who may use it. */
const ADMIN_OPERATIONS = [
  'me:read',
  'catalog:read',
  'sessions:read',
  'sessions:write',
  'sessions:destructive',
  'companies:read',
  'companies:write',
  'companies:destructive',
  'users:read',
  'users:write',
  'invitations:write',
  'tokens:read',
  'tokens:write',
  'tokens:destructive',
  'keys:read',
  'keys:write',
  'keys:destructive',
  'usage:read',
  'audit:read',
  'timeline:read',
  'notifications:read',
  'subscriptions:read',
  'trash:read',
  'trash:write',
  'work:read',
  'changes:read',
  'projects:read',
  'members:read',
  'members:write',
  'members:destructive',
  'calendars:read',
  'calendars:write',
  'calendars:destructive',
  'webhooks:read',
  'webhooks:write',
  'webhooks:destructive',
  'discussions:write',
  'files:read',
  'files:write',
  'jobs:read',
  'jobs:write',
  'jobs:destructive',
  'health:read',
  'figures:read',
] as const

export type AdminOperation = (typeof ADMIN_OPERATIONS)[number]

/** Every operation that an audit entry can be about. */
export const AUDIT_OPERATIONS = [...new Set([...OPERATIONS, ...ADMIN_OPERATIONS])]
