import { PassThrough, type Readable } from 'node:stream'
import type { Caller } from '../access/caller.ts'
import { nameAmongAll } from '../access/names.ts'
import { readableAmong } from '../access/policy.ts'
import { CHANGED_KINDS, type ChangedKind } from '../records/records.ts'
import type { ChangeEntry, DatedPosition } from './entry.ts'
import type { Follower } from './seen.ts'

/** How entries are written on a connection. */
export interface Written {
  entry(entry: ChangeEntry): string
  /** Sent first and from time to time: it keeps proxies from closing the connection, and says how far the feed was read. */
  heartbeat(position: DatedPosition): string
}

/** An open connection on which the entries of a company are sent as they happen. */
export interface FeedStream {
  readonly companyId: number
  /** Whose stream it is, among those of all companies. */
  readonly holder: string
  /** The key that opened it; undefined if somebody who is signed in did. */
  readonly keyId: number | undefined
  /** Who opened it, if they can be signed out: undefined for a key, and for the operator's own token. */
  readonly follower: Follower | undefined
  /** It is closed when the connection is gone, and not before. */
  readonly body: Readable
  readonly written: Written
  readonly kinds: ChangedKind[]
  readonly position: DatedPosition
  /** The version of the company when the key was last read. */
  readonly version: number
  /** There may be entries behind the position. */
  hasMore: boolean
  /** True when the client has taken what was sent before, so that no more than one portion is ever kept for it. */
  hasRoom(): boolean
  /** Moves on to this position, and sends what the key may read on the way, if anything. */
  send(portion: Buffer, upTo: DatedPosition): void
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

export function createFeedStream(
  opener: Caller,
  after: DatedPosition,
  written: Written,
  onRoom: () => void,
): FeedStream {
  // It does not close by itself when it ends: the client may not have taken the rest yet.
  const body = new PassThrough({ autoDestroy: false }).on('drain', onRoom)
  const endsAt = Date.now() + ENDS_AFTER_MS - Math.random() * JITTER_MS
  let caller = opener
  let kinds = readableAmong(CHANGED_KINDS, caller.key.operations)
  let position = after
  let lastWrittenAt = 0

  const stream: FeedStream = {
    companyId: caller.company.id,
    ...openerOf(caller),
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
      position = upTo
      if (portion.length > 0) write(portion)
    },

    renew(now) {
      caller = now
      kinds = readableAmong(CHANGED_KINDS, caller.key.operations)
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

function openerOf({ company, key, signer, signedIn }: Caller): Pick<FeedStream, 'holder' | 'keyId' | 'follower'> {
  if (!signedIn) return { holder: nameAmongAll('key', company.id, key.id), keyId: key.id, follower: undefined }
  const { digest, isSession } = signedIn
  const isOperator = signer.id === 0
  const follower = { companyId: company.id, personId: signer.id, digest }
  return {
    holder: nameAmongAll('person', company.id, signer.id),
    keyId: undefined,
    follower: isOperator && !isSession ? undefined : follower,
  }
}
