import type { Attempt, Write } from './history.ts'

// Reads what clients have sent and what came back, then what is there when everything has come to rest, and says what does not
// fit. Nothing here sends anything. An attempt without an answer, or answered 503, may or may not have been carried out, so each
// rule is one for all histories that are possible: what must have happened has, and nothing has that cannot.

/** What is there in the end. */
export interface Outcome {
  /** By id: the mark that a record was created with, if it has one, and its title. */
  records: Map<string, { mark: string | null; title: string | null }>
  /** Slugs, each with the collection that it is in. */
  slugs: string[]
  /** What a record or a page says of how many there are, and how many there are. */
  counts: { of: string; shown: unknown[]; there: unknown[] }[]
  /** The calls of the day, as the company's administration shows them. */
  spent: number
  /** The feed, read from its beginning in the end. */
  feed: { cursor: string; kind: string; change: string; id: string | number }[]
  /** How often whoever followed the feed all the time was told of each change, such as `created tsk-…`. */
  followed: Map<string, number>
  /** The records of which that follower, in the end, has another copy than the API shows. */
  differing: string[]
  deliveries: { message_id: string; type: string; record_id: string | number; state: string }[]
  /** The ids of the messages that have arrived at the webhook's receiver. */
  received: Set<string>
}

/** Sentences, each of which names something that cannot be. */
export function contradictions(attempts: Attempt[], writes: Write[], outcome: Outcome): string[] {
  return [
    ...unexpectedAnswers(writes),
    ...lostRecords(writes, outcome),
    ...repeatedEffects(writes, outcome),
    ...wrongTitles(writes, outcome),
    ...wrongSpending(attempts, outcome),
    ...wrongCounts(outcome),
    ...repeated(outcome.slugs).map(slug => `the slug ${slug} is there twice`),
    ...gapsInFeed(writes, outcome),
    ...outcome.differing.map(name => `who followed the feed has another ${name}`),
    ...untoldChanges(outcome),
  ]
}

const isUnknown = ({ answer }: Attempt) => !answer || answer.status === 503
const mayHaveHappened = ({ attempts, answer }: Write) => (answer?.status ?? 500) < 300 || attempts.some(isUnknown)
const isAcknowledged = ({ answer }: Write) => answer !== undefined && answer.status < 300

/** What is not found was deleted meanwhile (a list to move to: 422); nothing else is refused, because nothing invalid is sent. */
function unexpectedAnswers(writes: Write[]): string[] {
  return writes
    .filter(
      ({ answer, path }) => answer && ![200, 201, 404, path.endsWith('/move') ? 422 : 404].includes(answer.status),
    )
    .map(({ method, path, answer }) => `${method} ${path} was answered ${answer?.status}`)
}

/** What was acknowledged is there, unless it, or something that it is or was in, may have been deleted. */
function lostRecords(writes: Write[], { records }: Outcome): string[] {
  const places = new Map<string, string[]>()
  const deleted = new Set<string>()
  for (const write of writes) {
    const moved = write.target ? [write.target] : []
    for (const id of [...moved, ...createdBy(write)]) places.set(id, [...(places.get(id) ?? []), ...write.places])
    if (write.method === 'DELETE' && mayHaveHappened(write)) deleted.add(write.target as string)
  }
  const mayBeGone = (id: string): boolean => deleted.has(id) || (places.get(id) ?? []).some(mayBeGone)
  const lost = writes.flatMap(write =>
    createdBy(write).flatMap((id, n) => {
      const record = records.get(id)
      if (!record) return mayBeGone(id) ? [] : [`${id} of ${write.name} was acknowledged and is not there`]
      return record.mark === write.marks[n] ? [] : [`${id} has the mark ${record.mark} instead of ${write.marks[n]}`]
    }),
  )
  const kept = writes.filter(
    write => write.method === 'DELETE' && isAcknowledged(write) && records.has(`${write.target}`),
  )
  return [...lost, ...kept.map(({ target }) => `${target} was acknowledged as deleted and is there`)]
}

function createdBy({ marks, answer }: Write): string[] {
  return marks.length > 0 && answer?.status === 201 ? answer.ids : []
}

/** A name has one effect at most, however often it was sent. */
function repeatedEffects(writes: Write[], { records, feed }: Outcome): string[] {
  const marks = [...records.values()].flatMap(({ mark }) => mark ?? [])
  const sum = (list: Write[]) => list.reduce((total, write) => total + write.marks.length, 0)
  const least = sum(writes.filter(isAcknowledged))
  const most = sum(writes.filter(mayHaveHappened))
  const created = feed.filter(({ change }) => change === 'created').length
  return [
    ...repeated(marks).map(mark => `what ${mark} marks was created twice`),
    ...(created < least || created > most ? [`${created} records were created, and not ${least} to ${most}`] : []),
  ]
}

/** The last title is one that nobody has certainly changed again. */
function wrongTitles(writes: Write[], { records }: Outcome): string[] {
  return [...changesByRecord(writes)].flatMap(([id, ofRecord]) => {
    const shown = records.get(id)?.title
    const acknowledged = ofRecord.filter(isAcknowledged)
    if (shown === undefined || acknowledged.length === 0) return []
    const overwrites = (later: Write, earlier: Write) => (later.attempts[0]?.sentAt ?? 0) > endOf(earlier)
    const possible = ofRecord.filter(
      write => mayHaveHappened(write) && !acknowledged.some(later => overwrites(later, write)),
    )
    return possible.some(({ title }) => title === shown)
      ? []
      : [`${id} has the title "${shown}", which was overwritten`]
  })
}

function changesByRecord(writes: Write[]): Map<string, Write[]> {
  const changes = new Map<string, Write[]>()
  for (const write of writes)
    if (write.target && write.title) changes.set(write.target, [...(changes.get(write.target) ?? []), write])
  return changes
}

/** When it was certainly over: an attempt that was not answered may be carried out at any time. */
function endOf({ attempts }: Write): number {
  return Math.max(...attempts.map(attempt => (isUnknown(attempt) ? Infinity : (attempt.answer?.at ?? Infinity))))
}

/** A call is spent if it has passed the check of the allowance, whatever came after; a batch has one for each of its tasks. */
function wrongSpending(attempts: Attempt[], { spent }: Outcome): string[] {
  const [least, most] = spendingOf(attempts)
  return spent < least || spent > most ? [`${spent} calls were spent, and not ${least} to ${most}`] : []
}

/** The fewest and the most calls that these attempts can have spent. */
export function spendingOf(attempts: Attempt[]): [number, number] {
  let [least, most] = [0, 0]
  for (const { calls, answer } of attempts) {
    const isWhole = calls === 1 || (answer?.status === 201 && !answer.isReplay)
    if (answer?.hasPassedAllowance) least += isWhole ? calls : 1
    if (answer?.hasPassedAllowance || !answer || answer.status === 503) most += answer?.isReplay ? 1 : calls
  }
  return [least, most]
}

function wrongCounts({ counts }: Outcome): string[] {
  return counts
    .filter(({ shown, there }) => shown.join() !== there.join())
    .map(({ of, shown, there }) => `${of} shows ${shown} and has ${there}`)
}

/** The feed tells each change once, all that were acknowledged, and nothing that a follower was not told at the time. */
function gapsInFeed(writes: Write[], { feed, followed }: Outcome): string[] {
  const told = countOf(feed.map(({ change, id }) => `${change} ${id}`))
  const problems = repeated(feed.map(({ cursor }) => cursor)).map(cursor => `the feed has ${cursor} twice`)
  for (const what of new Set([...told.keys(), ...followed.keys()]))
    if (told.get(what) !== followed.get(what))
      problems.push(`${what} is ${told.get(what)} times in the feed, and was followed ${followed.get(what)} times`)
  for (const write of writes.filter(isAcknowledged)) {
    const due = createdBy(write).map(id => `created ${id}`)
    if (write.method === 'DELETE') due.push(`deleted ${write.target}`)
    for (const what of due) if (told.get(what) !== 1) problems.push(`the feed has ${what} ${told.get(what) ?? 0} times`)
  }
  for (const [id, ofRecord] of changesByRecord(writes)) {
    const times = told.get(`updated ${id}`) ?? 0
    const least = ofRecord.filter(isAcknowledged).length
    // A repeated PATCH changes the title again if somebody else has changed it in between.
    const most = ofRecord.reduce((sum, { attempts, answer }) => {
      return sum + attempts.filter(isUnknown).length + (answer?.status === 200 ? 1 : 0)
    }, 0)
    if (times < least || times > most) problems.push(`${id} was updated ${times} times, and not ${least} to ${most}`)
  }
  return problems
}

/** Each change has a delivery, and what is said to have been delivered has arrived. */
function untoldChanges({ feed, deliveries, received }: Outcome): string[] {
  const changes = countOf(feed.map(({ kind, change, id }) => `${kind}.${change} ${id}`))
  const listed = countOf(deliveries.map(({ type, record_id }) => `${type} ${record_id}`))
  const ids = new Set(deliveries.map(({ message_id }) => message_id))
  return [
    ...[...changes].flatMap(([what, times]) =>
      listed.get(what) === times ? [] : [`${what} has ${listed.get(what) ?? 0} deliveries instead of ${times}`],
    ),
    ...[...listed.keys()].filter(what => !changes.has(what)).map(what => `${what} is delivered and not in the feed`),
    ...deliveries
      .filter(({ state, message_id }) => state === 'delivered' && !received.has(message_id))
      .map(({ message_id }) => `${message_id} counts as delivered and did not arrive`),
    ...[...received].filter(id => !ids.has(id)).map(id => `${id} arrived and is not listed`),
  ]
}

function countOf(list: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const each of list) counts.set(each, (counts.get(each) ?? 0) + 1)
  return counts
}

function repeated(list: string[]): string[] {
  return [...countOf(list)].filter(([, times]) => times > 1).map(([each]) => each)
}
