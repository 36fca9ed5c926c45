/** The role of a person in their company. */
export const ROLES = ['owner', 'manager', 'member'] as const
export type Role = (typeof ROLES)[number]
