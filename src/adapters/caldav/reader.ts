import { type CalendarAccess, CalendarError, type CalendarObject } from '../../domain/ports/calendar-server.ts'
import { say } from '../../domain/sentences/sentences.ts'
import { withDeadline } from '../../lib/deadline.ts'
import { FairQueue } from '../../lib/fair-queue.ts'
import { answerOf, startThread } from '../../lib/thread.ts'
import { QUEUES } from '../../queues.ts'
import { type Reading, readNow } from './readings.ts'

/** The longest text that is read on the thread that answers requests: whatever is in it, that takes a few milliseconds. */
const SMALL_LENGTH = 32 * 1024
/** Twice what any text needs that is read: Node.js may end the whole process when a thread reaches its limit. */
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 }
const READ_WITHIN_MS = 5_000
/** Includes the wait for a thread. */
const ANSWER_WITHIN_MS = 15_000

const queue = new FairQueue<number>('calendar texts', QUEUES.calendarTexts)

/** For whom a text is read. */
type Asker = Pick<CalendarAccess, 'company_id' | 'signal'>

/** The event with this uid in the answer to a REPORT; `none` when there is none, undefined when it is not such an answer. */
export function findEvent(asker: Asker, xml: string, uid: string): Promise<CalendarObject | 'none' | undefined> {
  return read(asker, { find: uid, xml }, xml) as Promise<CalendarObject | 'none' | undefined>
}

/** Our version of an event with what its person has set in theirs. */
export function mergeEvent(
  asker: Asker,
  theirs: string,
  ours: string,
  formerAddresses: ReadonlyMap<string, string>,
): Promise<string> {
  return read(asker, { theirs, ours, formerAddresses }, theirs) as Promise<string>
}

/** Large texts are rare: each is read by a thread of its own, which ends with it. */
async function read({ company_id, signal }: Asker, reading: Reading, text: string): Promise<unknown> {
  const thread = () => startThread('worker', import.meta.url, reading, MEMORY)
  const inThread = (ended: AbortSignal) => queue.run(company_id, () => answerOf(thread, READ_WITHIN_MS, ended), ended)
  try {
    if (text.length <= SMALL_LENGTH) return readNow(reading)
    return await withDeadline(ANSWER_WITHIN_MS, inThread, { outer: signal })
  } catch (error) {
    throw new CalendarError(
      'url',
      say("has an event that can't be read: {reason}", { reason: (error as Error).message }),
    )
  }
}
