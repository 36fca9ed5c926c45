import { useRef, useState } from 'preact/hooks'
import { CallFailed } from '../../api/call.ts'

export interface Edited<T> {
  /** The record as it will be once everything is stored. */
  shown: T
  /** Why the last change was refused. */
  failure: CallFailed | undefined
  /** Shows a change at once and sends it; when it is refused, the change is undone. Tells whether it was stored. */
  change: (fields: Partial<T>, send: () => Promise<T>) => Promise<boolean>
}

/** A record that its reader changes in place. */
export function useEdited<T extends { created_at: string; updated_at?: string }>(loaded: T): Edited<T> {
  const own = useRef({
    loaded,
    stored: loaded,
    underway: [] as Partial<T>[],
    failure: undefined as CallFailed | undefined,
    last: Promise.resolve() as Promise<unknown>,
  }).current
  const [, setRound] = useState(0)
  const redraw = () => setRound(n => n + 1)
  if (own.loaded !== loaded) {
    own.loaded = loaded
    // What was read before the last change was stored is older.
    if ((loaded.updated_at ?? '') >= (own.stored.updated_at ?? '')) own.stored = loaded
  }
  const change: Edited<T>['change'] = (fields, send) => {
    own.underway.push(fields)
    own.failure = undefined
    redraw()
    // One after the other, so that the last one wins here and on the server.
    const sent = own.last.then(async () => {
      try {
        own.stored = await send()
        return true
      } catch (error) {
        own.failure = error instanceof CallFailed ? error : new CallFailed(0, 'unexpected', String(error))
        return false
      } finally {
        own.underway.shift()
        redraw()
      }
    })
    own.last = sent
    return sent
  }
  return { shown: Object.assign({}, own.stored, ...own.underway) as T, failure: own.failure, change }
}
