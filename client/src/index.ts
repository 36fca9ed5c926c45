import { type ChangesOptions, followChanges } from './changes.ts'
import { type Files, filesOf } from './files.ts'
import { type Method, methodOf, type PostOptions, readJson, sent, type Versioned } from './methods.ts'
import { createSender, type Settings } from './request.ts'
import { METHODS, PREFIX, type Resources } from './resources.ts'
import type { Change } from './types.ts'

export type { ChangesOptions } from './changes.ts'
export { DiwanError } from './error.ts'
export type { Files, ScanOptions, Upload } from './files.ts'
export type { Options, Pages, PostOptions, Versioned } from './methods.ts'
export type { Answered, Pause, Settings } from './request.ts'
export type { Resources } from './resources.ts'
export type * from './types.ts'
export { etagOf } from './versions.ts'
export { type ReceivedWebhook, verifyWebhook, type Webhook } from './webhook.ts'

export interface Diwan extends Resources, Files {
  /** What changes in the company, as it happens; see `ChangesOptions`. */
  changes(options?: ChangesOptions): AsyncGenerator<Change, never>
  /**
   * Calls a path below `/api/v1` directly, for example a nested one, which takes slugs, or a whole path such as `/admin/v1/me`.
   * Returns the whole answer.
   */
  request<Answer>(method: string, path: string, options?: RequestOptions<Answer>): Promise<Answer>
}

export interface RequestOptions<Answer = unknown> extends PostOptions, Versioned {
  query?: object | undefined
  /** Text is sent as it is. */
  body?: object | string | undefined
  /** Reads the answer, within the time of an attempt. Default: as JSON. */
  read?: (response: Response) => Promise<Answer>
}

/** A client for one key. It holds no connection and needs no closing. */
export function createDiwan(settings: Settings): Diwan {
  const sender = createSender(settings, PREFIX)
  const bound = (methods: typeof METHODS): object =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        isMethod(method) ? methodOf(sender, method) : bound(method),
      ]),
    )
  // The table and the types are generated from one description.
  const resources = bound(METHODS) as Resources
  return {
    ...resources,
    ...filesOf(resources),
    changes: options => followChanges(sender, options),
    request: async (method, path, { query, body, read = readJson, ...options } = {}) =>
      sender.send({ method, path, query, body, ...sent(method, options) }, read),
  }
}

const isMethod = (method: Method | Record<string, Method>): method is Method => Array.isArray(method)
