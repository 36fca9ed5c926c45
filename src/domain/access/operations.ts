/** Every operation that a key can be allowed. An endpoint declares exactly one of them. */
export const OPERATIONS = [
  'account:read',
  'projects:read',
  'projects:write',
  'projects:destructive',
  'task_lists:read',
  'task_lists:write',
  'task_lists:destructive',
  'tasks:read',
  'tasks:write',
  'tasks:destructive',
  'discussions:read',
  'discussions:write',
  'discussions:destructive',
  'comments:read',
  'comments:write',
  'files:read',
  'files:write',
  'files:destructive',
  'events:read',
  'events:write',
  'events:destructive',
] as const

export type Operation = (typeof OPERATIONS)[number]

export const ACCESS = ['read', 'write'] as const
export type Access = (typeof ACCESS)[number]

/** Permissions beyond operations. They belong to the key, because a key is not limited by its creator's role. */
export const RIGHTS = ['manage_files', 'delete_any_task_or_list', 'delete_any_file'] as const
export type Right = (typeof RIGHTS)[number]

/** The upper limit: a read key can only read, a write key can do everything. */
export function permits(access: Access, operation: Operation): boolean {
  return access === 'write' || operation.endsWith(':read')
}

/** `tasks` of `tasks:write`. */
export function resourceOf(operation: Operation): string {
  return operation.slice(0, operation.indexOf(':'))
}

export const LEVELS = ['read', 'write', 'destructive'] as const

/** `write` of `tasks:write`. */
export function levelOf(operation: Operation): (typeof LEVELS)[number] {
  return operation.slice(operation.indexOf(':') + 1) as (typeof LEVELS)[number]
}

export function isDestructive(operation: string): boolean {
  return operation.endsWith(':destructive')
}

/** What a new key gets when nothing is selected: destructive operations must always be selected explicitly. */
export function presetOperations(access: Access): Operation[] {
  return OPERATIONS.filter(operation => permits(access, operation) && !isDestructive(operation))
}

export function presetRights(access: Access): Right[] {
  return access === 'write' ? ['manage_files'] : []
}
