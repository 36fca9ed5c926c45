import { PassThrough, type Readable } from 'node:stream'
import type { Caller } from '../access/caller.ts'
import type { ChangedKind } from '../records/records.ts'
import { type ChangeEntry, type Position, readableKinds } from './feed.ts'

/** How entries are written on a connection. */
export interface Written {
  entry(entry: ChangeEntry): string
  /** Sent first and from time to time: it keeps proxies from closing the connection, and says how far the feed was read. */
  heartbeat(position: Position): string
}

/** An open connection on which the entries of a company are sent as they happen. */
export interface FeedStream {
  readonly companyId: number
  readonly keyId: number
  /** It is closed when the connection is gone, and not before. */
  readonly body: Readable
  readonly written: Written
  readonly kinds: ChangedKind[]
  readonly position: Position
  /** The version of the company when the key was last read. */
  readonly version: number
  /** There may be entries behind the position. */
  hasMore: boolean
  /** True when the client has taken what was sent before, so that no more than one portion is ever kept for it. */
  hasRoom(): boolean
  /** Moves on to this position, and sends what the key may read on the way, if anything. */
  send(portion: Buffer, upTo: Position): void
  renew(caller: Caller): void
  /** Ends the stream when its time is over; otherwise gives a sign of life when there was none for long. */
  tick(now: number): void
  /** Sends nothing more. The connection closes when the client has taken the rest. */
  end(): void
}

const HEARTBEAT_EVERY_MS = 25_000
const ENDS_AFTER_MS = 3_600_000
/** Streams must not all end at the same moment, because their clients reconnect at once. */
const JITTER_MS = 300_000

export function createFeedStream(opener: Caller, after: Position, written: Written, onRoom: () => void): FeedStream {
  // It does not close by itself when it ends: the client may not have taken the rest yet.
  const body = new PassThrough({ autoDestroy: false }).on('drain', onRoom)
  const endsAt = Date.now() + ENDS_AFTER_MS - Math.random() * JITTER_MS
  let caller = opener
  let kinds = readableKinds(caller.key.operations)
  let position = after
  let lastWrittenAt = 0

  const stream: FeedStream = {
    companyId: caller.company.id,
    keyId: caller.key.id,
    body,
    written,
    get kinds() {
      return kinds
    },
    get position() {
      return position
    },
    get version() {
      return caller.company.version
    },
    hasMore: true,
    hasRoom: () => !body.writableEnded && !body.destroyed && !body.writableNeedDrain,

    send(portion, upTo) {
      position = { tx: upTo.tx, id: upTo.id }
      if (portion.length > 0) write(portion)
    },

    renew(now) {
      caller = now
      kinds = readableKinds(caller.key.operations)
    },

    tick(now) {
      const { expires_at } = caller.key
      if (now >= endsAt || (expires_at !== null && now >= Date.parse(expires_at))) stream.end()
      else if (now - lastWrittenAt > HEARTBEAT_EVERY_MS && stream.hasRoom()) write(written.heartbeat(position))
    },

    end: () => body.end(),
  }
  write(written.heartbeat(after))
  return stream

  function write(text: string | Buffer): void {
    lastWrittenAt = Date.now()
    body.write(text)
  }
}
