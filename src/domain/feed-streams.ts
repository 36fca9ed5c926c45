import { PassThrough, type Readable } from 'node:stream'
import sql from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import type { Caller } from './access/caller.ts'
import { findCallerById } from './access/keyring.ts'
import { isServed } from './access/plans.ts'
import { BurstExceeded } from './errors.ts'
import {
  type ChangedKind,
  type ChangeEntry,
  entryColumns,
  feedEpoch,
  inOrder,
  isBehind,
  isSettledBehind,
  type Position,
  readableKinds,
} from './feed.ts'

/** The feed, and the open connections on which its entries are sent as they happen. */
export interface Feed {
  /** The part that all cursors of this database have in common. */
  epoch(): Promise<string>
  /** Opens a new stream. Throws when the key has too many open already. `written` encodes entries for the connection. */
  open(caller: Caller, after: Position, written: Written): Readable
  /** Ends all streams, and every one that is opened from now on. */
  close(): void
}

interface Written {
  entry(entry: ChangeEntry): string
  /** Sent first and from time to time: it keeps proxies from closing the connection, and says how far the feed was read. */
  sign(position: Position): string
}

interface Stream {
  caller: Caller
  kinds: ChangedKind[]
  position: Position
  body: PassThrough
  written: Written
  lastWrittenAt: number
  endsAt: number
}

const LOOK_EVERY_MS = 400
const SIGN_EVERY_MS = 25_000
const ENDS_AFTER_MS = 3_600_000
/** Streams must not all end at the same moment, because their clients reconnect at once. */
const JITTER_MS = 300_000
const MOST_PER_KEY = 5
const TRY_AGAIN_SECONDS = 10
/** A client that reads nothing for this long is gone. */
const STALLED_AFTER_MS = 60_000
const ENTRIES_AT_ONCE = 500

/**
 * One statement reads for all streams of this process at once, however many there are. It also reads the version of each
 * company, which rises with every change to its keys: then each stream's key is read again.
 */
export function createFeed(db: Db, onError: (error: unknown) => void): Feed {
  let epoch: Promise<string> | undefined
  const streams = new Set<Stream>()
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let isLooking = false

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const found = await readNews(db, lowest(streams))
      for (const news of found) await deliver(news)
      if (found.some(({ entries }) => entries.length === ENTRIES_AT_ONCE)) setImmediate(look)
    } catch (error) {
      onError(error)
    } finally {
      isLooking = false
      for (const stream of streams) attend(stream)
      if (streams.size === 0) stopLooking()
    }
  }

  async function deliver({ company_id, version, entries }: News): Promise<void> {
    for (const stream of streams) {
      if (stream.caller.company.id !== company_id || isStalled(stream)) continue
      if (stream.caller.company.version !== version && !(await readAnew(stream))) continue
      for (const entry of entries) if (isBehind(entry, stream.position)) send(stream, entry)
    }
  }

  function send(stream: Stream, entry: ChangeEntry): void {
    stream.position = { tx: entry.tx, id: entry.id }
    if (stream.kinds.includes(entry.kind)) write(stream, stream.written.entry(entry))
  }

  /** False when the key no longer allows the stream. */
  async function readAnew(stream: Stream): Promise<boolean> {
    const { company, key } = stream.caller
    const caller = await findCallerById(db, company.id, key.id)
    if (!caller || !isServed(caller.company) || !caller.key.operations.includes('account:read')) {
      end(stream)
      return false
    }
    Object.assign(stream, { caller, kinds: readableKinds(caller.key.operations), endsAt: endOf(caller, stream.endsAt) })
    return true
  }

  function attend(stream: Stream): void {
    const now = Date.now()
    if (now >= stream.endsAt || (isStalled(stream) && now - stream.lastWrittenAt > STALLED_AFTER_MS)) end(stream)
    else if (now - stream.lastWrittenAt > SIGN_EVERY_MS && !isStalled(stream))
      write(stream, stream.written.sign(stream.position))
  }

  function end(stream: Stream): void {
    streams.delete(stream)
    stream.body.end()
  }

  function stopLooking(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    epoch() {
      epoch ??= feedEpoch(db).catch(error => {
        epoch = undefined
        throw error
      })
      return epoch
    },

    open(caller, after, written) {
      const ofKey = [...streams].filter(({ caller: { key } }) => key.id === caller.key.id)
      if (ofKey.length >= MOST_PER_KEY)
        throw new BurstExceeded(TRY_AGAIN_SECONDS, `The key has ${MOST_PER_KEY} streams open already. Close one first.`)
      const body = new PassThrough()
      const now = Date.now()
      const stream: Stream = {
        caller,
        kinds: readableKinds(caller.key.operations),
        position: after,
        body,
        written,
        lastWrittenAt: now,
        endsAt: endOf(caller, now + ENDS_AFTER_MS - Math.random() * JITTER_MS),
      }
      write(stream, written.sign(after))
      if (isClosed) return body.end()
      streams.add(stream)
      body.once('close', () => streams.delete(stream))
      timer ??= setInterval(look, LOOK_EVERY_MS).unref()
      return body
    },

    close() {
      isClosed = true
      stopLooking()
      for (const stream of streams) end(stream)
    },
  }
}

function write(stream: Stream, text: string): void {
  stream.lastWrittenAt = Date.now()
  stream.body.write(text)
}

function isStalled({ body }: Stream): boolean {
  return body.writableNeedDrain
}

function endOf({ key }: Caller, endsAt: number): number {
  return key.expires_at === null ? endsAt : Math.min(endsAt, Date.parse(key.expires_at))
}

/** For each company, the position of the stream that is furthest behind. */
function lowest(streams: Set<Stream>): Map<number, Position> {
  const positions = new Map<number, Position>()
  for (const stream of streams) {
    const { id } = stream.caller.company
    const known = positions.get(id)
    if (!isStalled(stream) && (!known || isBehind(known, stream.position))) positions.set(id, stream.position)
  }
  return positions
}

interface News {
  company_id: number
  version: number
  entries: ChangeEntry[]
}

async function readNews(db: Db, positions: Map<number, Position>): Promise<News[]> {
  if (positions.size === 0) return []
  const places = [...positions.values()]
  return db.many<News>(sql`
    select c.id as company_id, c.version,
      coalesce((select json_agg(entry) from (
        select ${entryColumns} from changes
        where company_id = c.id and ${isSettledBehind(sql`place.tx::xid8`, sql`place.id`)}
        order by ${inOrder} limit ${ENTRIES_AT_ONCE}) entry), '[]') as entries
    from unnest(${[...positions.keys()]}::bigint[], ${places.map(({ tx }) => tx)}::text[], ${places.map(({ id }) => id)}::bigint[])
      as place (company_id, tx, id)
    join companies c on c.id = place.company_id`)
}
