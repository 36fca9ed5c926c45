import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import { passwordPurpose } from '../domain/calendars/calendars.ts'
import { type Addresses, snapshotFor } from '../domain/calendars/event-invitations.ts'
import { toICalendar } from '../domain/calendars/icalendar.ts'
import { type CalendarAccess, CalendarError } from '../domain/ports/calendar-server.ts'
import type { JobPayloads } from '../domain/ports/job-queue.ts'
import { say } from '../domain/sentences/sentences.ts'
import { noteFailure, noteSuccess } from './calendar-health.ts'
import type { WorkerParts } from './parts.ts'

type CalendarParts = Pick<WorkerParts, 'db' | 'jobs' | 'calendarServer' | 'encryption'>
type Entry = JobPayloads['sync-calendar']

/** What we know of an event on the calendar server. */
interface Known {
  href: string | null
  addresses: Addresses | null
  /** Why the server did not take its latest version. */
  refusal?: CalendarError
}

interface Claim extends Known {
  lease: string
  version: number
  user_id: number
  url: string
  username: string
  password: Buffer
}

/** Longer than a job may take. */
const LEASE_SECONDS = 60
const TURN_WITHIN_MS = 10_000
/** An event that somebody else changes between our read and our write is read again. */
const ROUNDS = 4
/** After this time, a failing connection is tried only now and then, and not for every change. */
const INSIST_FOR_MS = 30 * 60_000

/**
 * Brings one event in one calendar up to date. It does not matter which change asked for it, in what order or how often. An
 * event that its person deleted by hand on the calendar server is left alone until it changes here; then it is put back.
 */
export async function syncCalendar(parts: CalendarParts, entry: Entry, signal: AbortSignal): Promise<void> {
  const claim = await takeTurn(parts.db, entry)
  if (!claim) return
  try {
    const known = await bringInStep(parts, entry, claim, signal)
    await noteSuccess(parts, entry, tx => recordSynced(tx, entry, claim, known), known?.refusal)
  } catch (error) {
    await releaseClaim(parts.db, entry, claim)
    if (!(error instanceof CalendarError)) throw error
    const { failingForMs } = await noteFailure(parts, entry, error)
    if (failingForMs < INSIST_FOR_MS) throw error
  }
}

/** Two workers on the same event take turns. Nothing to claim means that it is done, or the connection or its person is gone. */
async function takeTurn(db: Db, entry: Entry): Promise<Claim | undefined> {
  const lease = randomUUID()
  const owed = sql`${isEntry(entry)} and x.synced_version < x.version
    and c.company_id = x.company_id and c.id = x.calendar_id and u.company_id = c.company_id and u.id = c.user_id and u.active`
  for (const giveUpAt = Date.now() + TURN_WITHIN_MS; ; await sleep(200)) {
    const claim = await db.maybe<Claim>(sql`
      update calendar_entries x set lease = ${lease}, leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
      from calendars c, users u where ${owed} and (x.leased_until is null or x.leased_until < now())
      returning x.href, x.addresses, x.version, x.lease, c.user_id, c.url, c.username, c.password`)
    const isSettled =
      !claim && !(await db.maybe(sql`select 1 from calendar_entries x, calendars c, users u where ${owed}`))
    if (claim || isSettled) return claim
    if (Date.now() > giveUpAt) throw new Error('Another worker is still busy with the same event')
  }
}

const isEntry = ({ company_id, calendar_id, uid }: Entry) =>
  sql`x.company_id = ${company_id} and x.calendar_id = ${calendar_id} and x.uid = ${uid}`

/**
 * No transaction is open during this: it takes as long as the calendar server does. Only a version that was read just before is
 * ever overwritten or removed, so no late answer to an earlier attempt can undo it, and nothing that its person has set there
 * is lost. Returns what is there now, if anything.
 */
async function bringInStep(
  parts: CalendarParts,
  entry: Entry,
  claim: Claim,
  signal: AbortSignal,
): Promise<Known | undefined> {
  const { db, calendarServer } = parts
  const access = { ...accessOf(parts, entry, claim), signal }
  for (let round = 1; round <= ROUNDS; round++) {
    const there = await calendarServer.read(access, entry.uid, claim.href)
    const event = await snapshotFor(db, entry.company_id, claim.user_id, entry.uid)
    if (event) {
      const ours = toICalendar(event, undefined)
      const content = there
        ? await calendarServer.merge(access, there, ours, formerAddresses(event.addresses, claim))
        : ours
      const outcome = await calendarServer.put(access, entry.uid, there, content)
      // The connection works, and other events have nothing to do with this one. It is tried again when it changes.
      if (outcome !== 'changed' && 'refused' in outcome)
        return { href: there?.href ?? null, addresses: claim.addresses, refusal: refusedEvent(outcome.refused) }
      if (outcome !== 'changed') return { href: outcome.href, addresses: event.addresses }
    } else if (!there || (await calendarServer.remove(access, there)) === 'removed') return undefined
  }
  throw new CalendarError('url', 'is a calendar in which somebody else changes the same event at the same moment')
}

const refusedEvent = (status: number) =>
  new CalendarError('url', say('does not take one of the events: the calendar server answers {status}', { status }))

/** The address of each person when the event was last written, by the one that they have now. */
function formerAddresses(addresses: Addresses, { addresses: former }: Known): Map<string, string> {
  return new Map(Object.entries(addresses).flatMap(([id, address]) => (former?.[id] ? [[address, former[id]]] : [])))
}

function accessOf({ encryption }: CalendarParts, { company_id }: Entry, claim: Claim): CalendarAccess {
  const { url, username, user_id } = claim
  try {
    return {
      company_id,
      url,
      username,
      password: encryption.decrypt(claim.password, passwordPurpose(company_id, user_id)),
    }
  } catch {
    throw new CalendarError('password', "can't be read any more: SERVER_SECRET has changed, send the password again")
  }
}

/** Records what is there now; an event that is gone on both sides is forgotten, unless it was asked for again in the meantime. */
async function recordSynced(tx: Db, entry: Entry, { lease, version }: Claim, known: Known | undefined): Promise<void> {
  const isMine = sql`${isEntry(entry)} and x.lease = ${lease}`
  if (!known && (await tx.run(sql`delete from calendar_entries x where ${isMine} and x.version = ${version}`)) === 1)
    return
  const { href, addresses } = known ?? { href: null, addresses: null }
  const settled = await tx.run(sql`
    update calendar_entries x set href = ${href}, addresses = ${addresses && JSON.stringify(addresses)}::jsonb,
      synced_version = ${version}, owed_since = now(), lease = null, leased_until = null
    where ${isMine}`)
  // Another worker took over because this took too long. Nobody can tell who wrote last there, so the event is owed again.
  if (settled === 0) await tx.run(sql`update calendar_entries x set version = version + 1 where ${isEntry(entry)}`)
}

async function releaseClaim(db: Db, entry: Entry, { lease }: Claim): Promise<void> {
  await db.run(sql`
    update calendar_entries x set lease = null, leased_until = null where ${isEntry(entry)} and x.lease = ${lease}`)
}
