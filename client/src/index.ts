import { type ChangesOptions, followChanges } from './changes.ts'
import { type Method, methodOf, type PostOptions, readJson, sent, type Versioned } from './methods.ts'
import { createSender, type Settings } from './request.ts'
import { METHODS, type Resources } from './resources.ts'
import type { Change } from './types.ts'

export type { ChangesOptions } from './changes.ts'
export { DiwanError } from './error.ts'
export type { Options, Pages, PostOptions, Versioned } from './methods.ts'
export type { Settings } from './request.ts'
export type { Resources } from './resources.ts'
export type * from './types.ts'
export { etagOf } from './versions.ts'
export { type ReceivedWebhook, verifyWebhook, type Webhook } from './webhook.ts'

export interface Diwan extends Resources {
  /** What changes in the company, as it happens; see `ChangesOptions`. */
  changes(options?: ChangesOptions): AsyncGenerator<Change, never>
  /** Calls a path below `/api/v1` directly, for example a nested one, which takes slugs. Returns the whole answer. */
  request<Answer>(method: string, path: string, options?: RequestOptions): Promise<Answer>
}

export interface RequestOptions extends PostOptions, Versioned {
  query?: object
  body?: object
}

/** A client for one key. It holds no connection and needs no closing. */
export function createDiwan(settings: Settings): Diwan {
  const sender = createSender(settings)
  const bound = (methods: typeof METHODS): object =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        isMethod(method) ? methodOf(sender, method) : bound(method),
      ]),
    )
  return {
    // The table and the types are generated from one description.
    ...(bound(METHODS) as Resources),
    changes: options => followChanges(sender, options),
    request: (method, path, { query, body, ...options } = {}) =>
      sender.send({ method, path, query, body, ...sent(method, options) }, readJson),
  }
}

const isMethod = (method: Method | Record<string, Method>): method is Method => Array.isArray(method)
