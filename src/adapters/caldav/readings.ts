import { hasEvent, mergeEvent } from '../../domain/calendars/icalendar-merge.ts'
import type { CalendarObject } from '../../domain/ports/calendar-server.ts'
import { parseMultistatus } from './multistatus.ts'

/** What is read in a text of a calendar server: where an event is, or what its person has set in it. */
export type Reading =
  | { find: string; xml: string }
  | { theirs: string; ours: string; formerAddresses: ReadonlyMap<string, string> }

export function readNow(reading: Reading): CalendarObject | 'none' | undefined | string {
  if ('find' in reading) return find(reading.xml, reading.find)
  return mergeEvent(reading.theirs, reading.ours, reading.formerAddresses)
}

function find(xml: string, uid: string): CalendarObject | 'none' | undefined {
  const resources = parseMultistatus(xml)
  if (!resources) return undefined
  // A server may apply the filter loosely: some match only a part of the name.
  for (const { href, etag, content } of resources)
    if (etag !== null && content !== null && hasEvent(content, uid)) return { href, etag, content }
  return 'none'
}
