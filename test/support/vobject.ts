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

/** A property as it was written: its name, its parameters and its value. */
export type WrittenProperty = [name: string, parameters: Record<string, string[]>, value: string]

/** The whole content of an event, in an order that does not depend on which program wrote it last. */
export interface WholeEvent {
  properties: WrittenProperty[]
  alarms: WrittenProperty[][]
  calendar: WrittenProperty[]
}

const WHOLE = `
import json, sys, vobject
def key(lines):
    return json.dumps(lines, sort_keys=True)
def text(value):
    return value if isinstance(value, str) else ','.join(value)
def written(component):
    lines = [line for lines in component.contents.values() for line in lines if hasattr(line, 'params')]
    return sorted(([line.name, {k: sorted(v) for k, v in sorted(line.params.items())}, text(line.value)] for line in lines), key=key)
def read(text):
    calendar = vobject.readOne(text, transform=False)
    events = calendar.contents['vevent']
    assert len(events) == 1, 'more than one event'
    alarms = [written(alarm) for alarm in events[0].contents.get('valarm', [])]
    return {
        'properties': sorted(written(events[0]), key=key),
        'alarms': sorted(alarms, key=key),
        'calendar': sorted(written(calendar), key=key),
    }
json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
`

export function readWholeEvents(radicale: string, texts: string[]): WholeEvent[] {
  return runPython(radicale, WHOLE, texts) as WholeEvent[]
}

/** Reads calendar files with vobject, the library that Radicale itself depends on, in Radicale's own Python. */
export function readWithVobject(radicale: string, texts: string[]): ParsedEvent[] {
  return runPython(radicale, SCRIPT, texts) as ParsedEvent[]
}

function runPython(radicale: string, script: string, texts: string[]): unknown {
  const python = readFileSync(radicale, 'utf8').match(/^#!\s*(\S+)/)?.[1] ?? 'python3'
  return JSON.parse(execFileSync(python, ['-c', script], { input: JSON.stringify(texts), encoding: 'utf8' }))
}
