import Type from 'typebox'
import { readableAmong } from '../domain/access/policy.ts'
import { type ApiError, cursorExpired } from '../domain/errors.ts'
import { readCursor, writeCursor } from '../domain/feed/cursor.ts'
import {
  type ChangeEntry,
  type DatedPosition,
  handleOf,
  hasMore,
  PARENT_KINDS,
  type Position,
  parentOf,
} from '../domain/feed/entry.ts'
import { endOfFeed, type FeedPage, readFeed } from '../domain/feed/feed.ts'
import { CHANGED_KINDS, CHANGES } from '../domain/records/records.ts'
import { Instant, Nullable, OneOf } from '../http/answers/schema.ts'
import { Raw } from '../http/endpoints/endpoint.ts'
import { isPreferred } from '../lib/accept.ts'
import { type Call, endpoint } from './gate.ts'

const Handle = (description: string) => Type.Unsafe<string | number>({ type: ['string', 'integer'], description })

const Change = Type.Object(
  {
    cursor: Type.String({ description: 'Pass it as `after` to continue behind this entry' }),
    at: Instant(),
    kind: OneOf(CHANGED_KINDS),
    change: OneOf(CHANGES),
    id: Handle('The ref of the record, or its number where it has none'),
    project_id: Type.String({ description: 'The `prj-` ref' }),
    parent_id: Type.Unsafe<string | number | null>({
      type: ['string', 'integer', 'null'],
      description:
        'The list of a task, the record that a comment is on, or the folder that a file or folder is in; otherwise null',
    }),
    parent_kind: Nullable(OneOf(PARENT_KINDS, { description: 'What `parent_id` names; null if that is null' })),
    actor: Nullable(Type.String({ description: 'Who made the change; null if the service did' })),
    fields: Nullable(
      Type.Array(Type.String(), { description: 'The fields that an update changed; null for other changes' }),
    ),
  },
  {
    title: 'Change',
    examples: [
      {
        cursor: 'T0OZBjZmZmIudGh5NGEuNzMxLjEy',
        at: '2026-11-15T08:30:00.000Z',
        kind: 'task',
        change: 'updated',
        id: 'tsk-0q8v5n2jyt',
        project_id: 'prj-4k7q2m9x0c',
        parent_id: 'lst-7m2kq90xcd',
        parent_kind: 'task_list',
        actor: 'Layla Haddad',
        fields: ['due_at', 'assignee'],
      },
    ],
  },
)

export const listChanges = endpoint({
  name: 'list_changes',
  since: '1.5.0',
  operation: 'account:read',
  summary: 'Follow what changes in the company',
  description:
    'What was created, changed or deleted, in the order of commits. Nothing is left out; an entry may come twice. Only kinds that the key may read are included. Without `after` there are no entries, and `next_cursor` is the end of the feed. ' +
    'With `Accept: text/event-stream` the same entries are sent as they happen; `Last-Event-ID` outranks `after`. Entries are kept for 30 days.',
  method: 'GET',
  at: ['/company/changes'],
  alsoAs: 'text/event-stream',
  failsWith: 410,
  query: Type.Object({
    after: Type.Optional(Type.String({ description: 'A cursor from an earlier answer; 410 if it is too old' })),
    limit: Type.Integer({ default: 100, minimum: 1, maximum: 500, description: 'Page size; clamped to 1..500' }),
  }),
  returns: Type.Object({
    data: Type.Array(Change),
    meta: Type.Object({
      count: Type.Integer({ description: 'Entries in this page' }),
      next_cursor: Type.String({ description: 'Pass it as `after` next time' }),
      more: Type.Boolean({ description: 'True when there are more entries to read now' }),
    }),
  }),
  async run(call) {
    const { db, company, query, headers, feed } = call
    const epoch = await feed.epoch()
    const isStream = isPreferred('text/event-stream', headers.accept)
    const sent = (isStream && headers['last-event-id']?.toString()) || query.after
    const after = sent === undefined ? undefined : readCursor(sent, epoch)
    if (after && !isStream) return showPage(call, after, query.limit, epoch)
    if (sent !== undefined && !(after && (await isReached(call, after)))) throw await expired(call, epoch)
    const position = after ?? { ...(await endOfFeed(db, company.id)), atMs: Date.now() }
    return isStream ? openStream(call, position, epoch) : answer([], { next: position, more: false }, epoch)
  },
})

/** False for a position that this database has not reached: it comes from one that is further ahead. */
async function isReached(call: Call, position: Position): Promise<boolean> {
  const { now } = await readFeed(call.db, { viewer: call, after: position, kinds: CHANGED_KINDS, limit: 1 })
  return !hasMore(position, now)
}

/** There is nothing to continue from, so the error carries a cursor to start again with. */
async function expired({ db, company }: Call, epoch: string): Promise<ApiError> {
  return cursorExpired(writeCursor({ epoch, atMs: Date.now(), ...(await endOfFeed(db, company.id)) }))
}

async function showPage(call: Call, after: Position, limit: number, epoch: string) {
  const { db, key } = call
  const kinds = readableAmong(CHANGED_KINDS, key.operations)
  const { entries, now, ...rest } = await readFeed(db, { viewer: call, after, kinds, limit })
  if (hasMore(after, now)) throw await expired(call, epoch)
  return answer(entries, rest, epoch)
}

function answer(entries: ChangeEntry[], { next, more }: Pick<FeedPage, 'next' | 'more'>, epoch: string) {
  const next_cursor = writeCursor({ epoch, ...next })
  return { data: entries.map(entry => shown(entry, epoch)), meta: { count: entries.length, next_cursor, more } }
}

function shown(entry: ChangeEntry, epoch: string): Type.Static<typeof Change> {
  const { tx, at, kind, change, record_id, project_id, actor, fields } = entry
  return {
    cursor: writeCursor({ epoch, atMs: Date.parse(at), tx, id: entry.id }),
    at,
    kind,
    change,
    id: handleOf(record_id),
    project_id,
    ...parentOf(entry),
    actor,
    fields,
  }
}

async function openStream(
  { feed, company, key, signer, sight, signedIn }: Call,
  after: DatedPosition,
  epoch: string,
): Promise<Raw> {
  const body = await feed.open({ company, key, signer, sight, ...(signedIn && { signedIn }) }, after, {
    entry: entry => {
      const change = shown(entry, epoch)
      return `id: ${change.cursor}\ndata: ${JSON.stringify(change)}\n\n`
    },
    heartbeat: position => `: still here\nid: ${writeCursor({ epoch, ...position })}\n\n`,
  })
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Reverse proxies must not buffer the response.
    'x-accel-buffering': 'no',
    connection: 'close',
  }
  return new Raw(200, headers, body)
}
