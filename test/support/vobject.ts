import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** An event as an independent program reads it. */
export interface ParsedEvent {
  uid: string
  sequence: number
  summary: string
  description: string | null
  start: string
  end: string
  organizer: string
  attendees: string[]
  method: string | null
}

const SCRIPT = `
import json, sys, datetime, vobject
def moment(value):
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%S.000Z')
    return value.isoformat()
def read(text):
    calendar = vobject.readOne(text)
    event = calendar.vevent
    return {
        'uid': event.uid.value,
        'sequence': int(event.sequence.value),
        'summary': event.summary.value,
        'description': event.description.value if hasattr(event, 'description') else None,
        'start': moment(event.dtstart.value),
        'end': moment(event.dtend.value),
        'organizer': event.organizer.value.lower(),
        'attendees': sorted(a.value.lower() for a in event.contents.get('attendee', [])),
        'method': calendar.method.value if hasattr(calendar, 'method') else None,
    }
json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
`

/** Reads calendar files with vobject, the library that Radicale itself depends on, in Radicale's own Python. */
export function readWithVobject(radicale: string, texts: string[]): ParsedEvent[] {
  const python = readFileSync(radicale, 'utf8').match(/^#!\s*(\S+)/)?.[1] ?? 'python3'
  return JSON.parse(execFileSync(python, ['-c', SCRIPT], { input: JSON.stringify(texts), encoding: 'utf8' }))
}
