/** What a person is in their company. */
export const ROLES = ['owner', 'manager', 'member'] as const
export type Role = (typeof ROLES)[number]
