import sql from 'sql-template-tag'
import Type from 'typebox'
import { Id } from '../http/answers/schema.ts'

/** A person as shown beside what belongs to them: the schema, and the JSON of the person `u`. */
export const PersonInBrief = Type.Object({ id: Id(), name: Type.String(), email: Type.String() })
export const personInBrief = sql`json_build_object('id', u.id, 'name', u.name, 'email', u.email)`
