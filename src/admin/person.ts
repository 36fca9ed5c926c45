import sql from 'sql-template-tag'
import Type from 'typebox'
import { Id } from '../http/schema.ts'

/** Whose something is, and how the person `u` becomes that. */
export const PersonInBrief = Type.Object({ id: Id(), name: Type.String(), email: Type.String() })
export const personInBrief = sql`json_build_object('id', u.id, 'name', u.name, 'email', u.email)`
