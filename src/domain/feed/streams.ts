import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../db/db.ts'
import type { Caller } from '../access/caller.ts'
import { findCallersByIds } from '../access/keyring.ts'
import { nameAmongAll } from '../access/names.ts'
import { isServed } from '../access/plans.ts'
import type { SharedPlaces } from '../ports/shared-places.ts'
import type { ChangeEntry, DatedPosition } from './entry.ts'
import { feedEpoch } from './feed.ts'
import { companiesChangedSince, ENTRIES_AT_ONCE, readNews } from './news.ts'
import { boundsOf, createOpenStreams, type Reading } from './open-streams.ts'
import { asSeen, type Follower, type Sees, whatTheySee } from './seen.ts'
import { createFeedStream, type FeedStream, type Written } from './stream.ts'
import type { FeedWatch } from './watch.ts'

/** The feed, and the open connections on which its entries are sent as they happen. */
export interface Feed {
  /** The part that all cursors of this database have in common. */
  epoch(): Promise<string>
  /** Opens a new stream. Throws when too many are open already. `written` is the same for all streams. */
  open(caller: Caller, after: DatedPosition, written: Written): Promise<Readable>
  /** Ends all streams, and every one that is opened from now on. */
  close(): void
}

/**
 * Sends entries to the streams of this process when the watch says that their company has news. What this costs depends on how
 * many companies have streams, and hardly on how many streams they have: those at the same place share one reading of the feed,
 * and an entry is written once for all of them. Keys are read again, all together, when the version of their company has risen.
 * People sign out without that, so all who are signed in are looked up with every look, in one statement.
 */
export function createFeed(db: Db, watch: FeedWatch, places: SharedPlaces, onError: (error: unknown) => void): Feed {
  const streams = createOpenStreams()
  let epoch: Promise<string> | undefined
  let unfollow: (() => void) | undefined
  let isClosed = false
  /** Nothing is read before the watch has looked for the first time: of what happens before that, nobody would tell. */
  let isWatching = false
  let areOpenersDue = false
  let isServing = false

  function hear(companies: readonly number[]): void {
    isWatching = true
    areOpenersDue = true
    for (const id of companies) for (const stream of streams.of(id)) stream.hasMore = true
    const now = Date.now()
    for (const stream of streams.all()) stream.tick(now)
    serve()
  }

  async function serve(): Promise<void> {
    if (isServing || !isWatching) return
    isServing = true
    try {
      while (!isClosed && (await serveOnce()));
    } catch (error) {
      onError(error)
    } finally {
      isServing = false
    }
  }

  /** False when there is nothing left to read. */
  async function serveOnce(): Promise<boolean> {
    if (areOpenersDue) {
      areOpenersDue = false
      await readKeysOf(await companiesChangedSince(db, streams.versions()))
      await sightsOf([...streams.all()], [])
    }
    const readings = streams.nextReadings()
    if (readings.length > 0) await send(readings)
    return readings.length > 0
  }

  async function send(readings: Reading[]): Promise<void> {
    const atMs = Date.now()
    try {
      const news = await readNews(
        db,
        readings.map(({ place }) => place),
      )
      // The keys are read after the entries: whatever a key may no longer read is not shown.
      await readKeysOf(readings.filter((reading, n) => isOutdated(reading, news[n]?.version)).map(companyOf))
      for (const [n, reading] of readings.entries()) {
        const entries = news[n]?.entries ?? []
        deliver(reading, entries, atMs, entries.length > 0 ? await sightsOf(reading.streams, entries) : new Map())
        await nextTurn()
      }
    } catch (error) {
      for (const reading of readings) for (const stream of reading.streams) stream.hasMore = true
      throw error
    }
  }

  async function readKeysOf(companies: number[]): Promise<void> {
    const affected = [...new Set(companies)].flatMap(id => [...streams.of(id)].filter(isOfKey))
    if (affected.length === 0) return
    const keys = new Map(affected.map(stream => [stream.holder, stream]))
    const callers = await findCallersByIds(db, [...keys.values()])
    const byHolder = new Map(callers.map(caller => [nameAmongAll('key', caller.company.id, caller.key.id), caller]))
    for (const stream of affected) {
      const caller = byHolder.get(stream.holder)
      if (caller && isServed(caller.company) && caller.key.operations.includes('account:read')) stream.renew(caller)
      else stream.end()
    }
  }

  /** What the people among the streams see of entries now. The streams of those who are no longer signed in end. */
  async function sightsOf(streams: FeedStream[], entries: ChangeEntry[]): Promise<Map<FeedStream, Sees>> {
    const ofPeople = streams.filter(isOfPerson)
    if (ofPeople.length === 0) return new Map()
    const followers = ofPeople.map(({ follower }) => follower)
    const sights = await whatTheySee(db, followers, entries)
    for (const [n, stream] of ofPeople.entries()) if (sights[n] === undefined) stream.end()
    return new Map(ofPeople.map((stream, n) => [stream, sights[n]]))
  }

  function stopFollowing(): void {
    unfollow?.()
    unfollow = undefined
    isWatching = false
  }

  return {
    epoch() {
      epoch ??= feedEpoch(db).catch(error => {
        epoch = undefined
        throw error
      })
      return epoch
    },

    async open(caller, after, written) {
      const stream = createFeedStream(caller, after, written, serve)
      const shared = boundsOf(stream)
      const hold = await places.hold(shared)
      if (hold.full) throw shared.find(({ name }) => name === hold.full.name)?.refusal()
      // Counted after the wait, and at once before it is added, because others may have been added meanwhile.
      const full = streams.fullBound(stream)
      if (isClosed || full) hold.giveBack()
      if (full) throw full.refusal()
      if (isClosed) stream.end()
      else {
        streams.add(stream, () => {
          hold.giveBack()
          if (streams.count() === 0) stopFollowing()
        })
        unfollow ??= watch.follow(hear)
      }
      return stream.body
    },

    close() {
      isClosed = true
      stopFollowing()
      for (const stream of streams.all()) stream.end()
    },
  }
}

const companyOf = ({ place }: Reading) => place.company_id

const isOfKey = (stream: FeedStream): stream is FeedStream & { keyId: number } => stream.keyId !== undefined
const isOfPerson = (stream: FeedStream): stream is FeedStream & { follower: Follower } => stream.follower !== undefined

const isOutdated = (reading: Reading, version: number | undefined) =>
  reading.streams.some(stream => isOfKey(stream) && stream.version !== version)

/** `readMs` is when the entries were read: what comes after the last of them happened later, unless there may be more. */
function deliver(
  { place, streams }: Reading,
  entries: ChangeEntry[],
  readMs: number,
  sights: Map<FeedStream, Sees>,
): void {
  const isMore = entries.length === ENTRIES_AT_ONCE
  const { tx, id } = entries.at(-1) ?? place
  const upTo = { tx, id, atMs: isMore ? Date.parse(entries.at(-1)?.at as string) : readMs }
  const portionFor = createPortions(entries)
  for (const stream of streams) {
    const hasRoom = stream.hasRoom()
    if (hasRoom) stream.send(portionFor(stream, sights.get(stream)), upTo)
    stream.hasMore ||= entries.length > 0 && (!hasRoom || isMore)
  }
}

/** The entries that the opener of a stream may read, as bytes: once for all streams whose openers may read the same. */
function createPortions(entries: ChangeEntry[]): (stream: FeedStream, sees: Sees) => Buffer {
  const portions = new Map<string, Buffer>()
  return ({ kinds, written }, sees = 'all') => {
    const key = `${kinds.join()} ${sees === 'all' ? sees : [...sees].sort().join()}`
    const seen = (entry: ChangeEntry) => (sees === 'all' ? entry : asSeen(entry, sees)) ?? []
    const readable = () => entries.filter(({ kind }) => kinds.includes(kind)).flatMap(seen)
    const portion = portions.get(key) ?? Buffer.from(readable().map(written.entry).join(''))
    portions.set(key, portion)
    return portion
  }
}
