import { type Diwan, DiwanError } from '../../../client/src/index.ts'
import { plainNumber } from '../../../src/lib/digits.ts'
import { UsageError } from '../frame/command.ts'
import { isRecord } from '../frame/output.ts'
import { createJsonRecords, UnreadableJson } from './json-records.ts'
import { textOf } from './json-text.ts'
import { jsonTextOf } from './records.ts'

/** The hours of all time entries of each issue, by the number of the issue. */
export type SpentHours = ReadonlyMap<string, number>

const MOST_MINUTES = 10_000_000

/** Minutes, from hours as Redmine writes them: 1.5, 1,5 or 1:30. Null for none; undefined for what is no time. */
export function readHours(text: string): number | null | undefined {
  const value = plainNumber(text).trim().replace(/[,٫]/, '.')
  if (value === '') return null
  const [, hours, minutes] = value.match(/^(\d{1,6}):([0-5]\d)$/) ?? []
  if (hours !== undefined) return toMinutes(Number(hours) + Number(minutes) / 60)
  return /^\d{1,6}(\.\d{1,20})?$/.test(value) ? toMinutes(Number(value)) : undefined
}

/** Some minutes are one at least. Nobody reports in Diwan that something took no time. */
export function toMinutes(hours: number): number | null {
  return hours > 0 ? Math.min(Math.max(1, Math.round(hours * 60)), MOST_MINUTES) : null
}

/** Adds up the time entries in the JSON of `GET /time_entries.json`, of which a file may contain several pages. */
export async function readTimeEntries(file: string): Promise<SpentHours> {
  const json = createJsonRecords('time_entries')
  const hours = new Map<string, number>()
  try {
    for await (const text of jsonTextOf(file))
      for (const entry of json.push(text)) {
        if (!isRecord(entry) || !isRecord(entry.issue)) continue
        if (typeof entry.hours !== 'number') throw new UnreadableJson('A time entry has no hours')
        const issue = textOf(entry.issue.id)
        hours.set(issue, (hours.get(issue) ?? 0) + entry.hours)
      }
    json.end()
  } catch (error) {
    throw new UsageError(`--time-entries cannot be read: ${(error as Error).message}`)
  }
  return hours
}

/** Nobody has this ref. */
const NOWHERE = 'tsk-0000000000'

/** Whether the plan of the company includes time tracking: the server checks that before it looks for the task. */
export async function hasTimeTracking(diwan: Diwan): Promise<boolean> {
  try {
    await diwan.tasks.setTime(NOWHERE, { time_spent: '1' })
  } catch (error) {
    if (!(error instanceof DiwanError) || ![403, 404].includes(error.status)) throw error
    return error.code !== 'plan_upgrade_required'
  }
  return true
}
