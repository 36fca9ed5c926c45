import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Me } from '../api/types.ts'
import { useStanding } from '../frame/standing.ts'

// Texts that were written and not sent yet. They are kept in the browser, for the person who wrote them and the place where they
// were written, so that a reload or the end of a session takes nothing away. Nothing secret is written in these places.

const PREFIX = 'unsent:'
const MOST = 100
const LONGEST = 100_000
const DAYS_KEPT = 14
const DAY_MS = 86_400_000

interface Kept {
  at: number
  value: unknown
}

function read(name: string): Kept | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? 'null') as Kept | null
    return kept && Date.now() - kept.at < DAYS_KEPT * DAY_MS ? kept : undefined
  } catch {
    return undefined
  }
}

/** What was left at a place; undefined if that is nothing. */
function leftAt(name: string): unknown {
  return read(name)?.value
}

/** What is shown at the places. What was sent is answered also after its writer has left the place, and opened it again. */
const listeners = new Set<(name: string, value: unknown) => void>()

/** Keeps a value, or forgets what was there. What a browser has no room for lives as long as the page. */
function keep(name: string, value: unknown): void {
  for (const listener of listeners) listener(name, value)
  const text = value === undefined ? undefined : JSON.stringify({ at: Date.now(), value })
  try {
    if (text === undefined || text.length > LONGEST) localStorage.removeItem(name)
    else {
      if (localStorage.getItem(name) === null) makeRoom()
      localStorage.setItem(name, text)
    }
  } catch {
    // Full, or switched off.
  }
}

function keptNames(): string[] {
  return Object.keys(localStorage).filter(name => name.startsWith(PREFIX))
}

/** The oldest make room for a new one, whoever wrote them. */
function makeRoom(): void {
  const names = keptNames()
  for (const name of names) if (!read(name)) localStorage.removeItem(name)
  const byAge = keptNames().sort((a, b) => (read(a)?.at ?? 0) - (read(b)?.at ?? 0))
  for (const name of byAge.slice(0, Math.max(0, byAge.length - MOST + 1))) localStorage.removeItem(name)
}

/** Whoever signs out leaves nothing behind in the browser. What others have left there stays theirs. */
export function forgetDrafts({ company, user }: Me): void {
  for (const name of keptNames()) if (name.startsWith(ownPrefix(company?.id, user?.id))) localStorage.removeItem(name)
}

const ownPrefix = (company: number | undefined, person: number | undefined) => `${PREFIX}${company}:${person}:`

export interface Drafts {
  leftAt: (place: string) => unknown
  keep: (place: string, value: unknown) => void
}

function useNameOf(): (place: string) => string {
  const { me, company } = useStanding()
  return place => ownPrefix(company?.id, me.user?.id) + place
}

/** The drafts of whoever is signed in, in the company that is shown. */
export function useDrafts(): Drafts {
  const nameOf = useNameOf()
  return { leftAt: place => leftAt(nameOf(place)), keep: (place, value) => keep(nameOf(place), value) }
}

export interface Draft<T> {
  value: T
  set: (next: T | ((before: T) => T)) => void
  /** It was brought back from an earlier visit, and not touched since. */
  isLeft: boolean
}

/** A value that is being written at a place. It is kept until it is `empty` again. */
export function useDraft<T>(place: string, empty: T): Draft<T> {
  const name = useNameOf()(place)
  const [shown, show] = useState(() => {
    const left = leftAt(name) as T | undefined
    return { value: left ?? empty, isLeft: left !== undefined }
  })
  /** The same before it is drawn again; once the place was left, what is kept there, if anything: it may have been opened again. */
  const latest = useRef<() => T | undefined>(() => shown.value)
  useLayoutEffect(() => {
    const listener = (changed: string, next: unknown) => {
      if (changed !== name) return
      const value = (next ?? empty) as T
      latest.current = () => value
      show({ value, isLeft: false })
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      latest.current = () => leftAt(name) as T | undefined
    }
  }, [name])
  const set: Draft<T>['set'] = next => {
    const before = latest.current()
    if (before === undefined) return
    const value = typeof next === 'function' ? (next as (before: T) => T)(before) : next
    keep(name, JSON.stringify(value) === JSON.stringify(empty) ? undefined : value)
  }
  return { ...shown, set }
}
