import { BurstExceeded, unavailable } from '../errors.ts'
import type { Bound } from '../ports/shared-places.ts'
import { say, wordsOf } from '../sentences/sentences.ts'
import type { Place } from './news.ts'
import type { FeedStream } from './stream.ts'

/** A place in the feed of a company, and the streams that have come to it. */
export interface Reading {
  place: Place
  streams: FeedStream[]
}

const MOST_PER_HOLDER = 5
const MOST_PER_COMPANY = 500
/** On all nodes. */
const MOST_IN_ALL = 20_000
/** In this process. Each takes some 15 kB, and a portion of entries that the client has not taken yet. */
const MOST_HERE = 5_000
const TRY_AGAIN_SECONDS = 10

/**
 * Clients that are catching up are at different places of the feed. One statement reads this many places of a company; the
 * others are read later.
 */
const PLACES_PER_COMPANY = 4
const PLACES_AT_ONCE = 100

interface StreamBound extends Bound {
  refusal: () => Error
}

const tooMany = (who: 'key' | 'person' | 'company', most: number) => () =>
  new BurstExceeded(
    TRY_AGAIN_SECONDS,
    say('The {who} has {most} streams open already. Close one first.', { who: wordsOf(who), most }),
  )

const bounds = {
  ofHolder: (holder: string): StreamBound => ({
    name: `streams:${holder}`,
    most: MOST_PER_HOLDER,
    refusal: tooMany(holder.startsWith('key:') ? 'key' : 'person', MOST_PER_HOLDER),
  }),
  ofCompany: (id: number): StreamBound => ({
    name: `streams:company:${id}`,
    most: MOST_PER_COMPANY,
    refusal: tooMany('company', MOST_PER_COMPANY),
  }),
  inAll: {
    name: 'streams',
    most: MOST_IN_ALL,
    refusal: () => unavailable('Too many streams are open at the moment. Try again soon.'),
  } satisfies StreamBound,
}

/** The bounds that hold for a stream on all nodes together. */
export function boundsOf({ companyId, holder }: FeedStream): StreamBound[] {
  return [bounds.ofHolder(holder), bounds.ofCompany(companyId), bounds.inAll]
}

/** The open streams of this process. They take turns, and so do their companies. */
export function createOpenStreams() {
  const companies = new Map<number, Set<FeedStream>>()
  let count = 0

  const of = (companyId: number): Iterable<FeedStream> => companies.get(companyId) ?? []

  function* all(): Generator<FeedStream> {
    for (const streams of companies.values()) yield* streams
  }

  function remove(stream: FeedStream): void {
    const streams = companies.get(stream.companyId)
    if (!streams?.delete(stream)) return
    count--
    if (streams.size === 0) companies.delete(stream.companyId)
  }

  return {
    of,
    all,
    count: () => count,

    /** For each company, the lowest version that one of its keys was read with. */
    versions(): Map<number, number> {
      const versions = new Map<number, number>()
      for (const { companyId, keyId, version } of all())
        if (keyId !== undefined) versions.set(companyId, Math.min(version, versions.get(companyId) ?? version))
      return versions
    },

    /** The first bound of a stream that the streams of this process have reached by themselves, if there is one. */
    fullBound({ companyId, holder }: FeedStream): StreamBound | undefined {
      const ofCompany = [...of(companyId)]
      const ofHolder = ofCompany.filter(stream => stream.holder === holder)
      if (ofHolder.length >= MOST_PER_HOLDER) return bounds.ofHolder(holder)
      if (ofCompany.length >= MOST_PER_COMPANY) return bounds.ofCompany(companyId)
      return count >= MOST_HERE ? bounds.inAll : undefined
    },

    /** Keeps the stream until its connection is gone. */
    add(stream: FeedStream, onGone: () => void): void {
      const streams = companies.get(stream.companyId) ?? new Set()
      companies.set(stream.companyId, streams.add(stream))
      count++
      stream.body.once('close', () => {
        remove(stream)
        onGone()
      })
    },

    /** What is to be read next, for streams that are behind. They count as no longer behind from here on. */
    nextReadings(): Reading[] {
      const readings: Reading[] = []
      for (const [id, streams] of [...companies]) {
        if (readings.length >= PLACES_AT_ONCE) break
        const chosen = inPlaces(id, streams)
        if (chosen.length === 0) continue
        readings.push(...chosen)
        goLast(companies, id, streams)
      }
      return readings
    },
  }
}

function inPlaces(companyId: number, streams: Set<FeedStream>): Reading[] {
  const readings = new Map<string, Reading>()
  for (const stream of [...streams]) {
    if (!stream.hasMore || !stream.hasRoom()) continue
    const { tx, id } = stream.position
    const key = `${tx} ${id}`
    const reading = readings.get(key) ?? { place: { company_id: companyId, tx, id }, streams: [] }
    if (reading.streams.length === 0 && readings.size === PLACES_PER_COMPANY) continue
    readings.set(key, reading)
    reading.streams.push(stream)
    stream.hasMore = false
    streams.delete(stream)
    streams.add(stream)
  }
  return [...readings.values()]
}

function goLast<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key)
  map.set(key, value)
}
