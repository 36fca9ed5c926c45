import { expect, it } from 'vitest'
import type { Reading } from '../../src/adapters/caldav/readings.ts'
import { answerOf, startThread } from '../../src/lib/thread.ts'

// What reading takes most memory for is many small pieces: lines, elements, components, keys. The threads may take twice as much.
const within = (maxOldGenerationSizeMb: number) => ({ maxOldGenerationSizeMb, maxYoungGenerationSizeMb: 16 })
const HALF_FOR_CALENDARS = within(64)
const EVENT_BYTES = 1_048_576
const OURS = [
  ...['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:u', 'ORGANIZER:mailto:o@example.com', 'ATTENDEE:mailto:a@example.com'],
  ...['END:VEVENT', 'END:VCALENDAR', ''],
].join('\r\n')

/** As many of a unit as fit, between a beginning and an end. */
function filled(start: string, unit: string, end: string): string {
  const roomBytes = EVENT_BYTES - Buffer.byteLength(start + end)
  return start + unit.repeat(Math.floor(roomBytes / Buffer.byteLength(unit))) + end
}

const eventOf = (unit: string): Reading => ({
  theirs: filled('BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:u\n', unit, 'END:VEVENT\nEND:VCALENDAR\n'),
  ours: OURS,
  formerAddresses: new Map(),
})

it.each<[string, Reading]>([
  ['short lines', eventOf('a\n')],
  // Each is a character of one byte in a text of two bytes a character.
  ['short lines beside Arabic ones', eventOf(`${'a\n'.repeat(9)}ع\n`)],
  ['components', eventOf('BEGIN:a\nEND:a\n')],
  ['people', eventOf('ATTENDEE;a;b;c;d:m\n')],
  ['resources', { find: 'u', xml: filled('<multistatus>', '<response/>', '</multistatus>') }],
])('A calendar full of %s takes less than half of the memory that its thread may take', async (_, reading) => {
  const worker = new URL('../../src/adapters/caldav/reader.ts', import.meta.url).href
  const answer = await answerOf(() => startThread('worker', worker, reading, HALF_FOR_CALENDARS), 60_000)
  expect(answer).toSatisfy(read => read === 'none' || (read as string).includes('UID:u'))
})
