import sql from 'sql-template-tag'
import type { Db } from '../../db/db.ts'

/** The time zone of a company, in which its dates and days are read. UTC for what belongs to no company. */
export async function companyZone(db: Db, companyId: number): Promise<string> {
  const company = await db.maybe<{ time_zone: string }>(sql`select time_zone from companies where id = ${companyId}`)
  return company?.time_zone ?? 'UTC'
}
