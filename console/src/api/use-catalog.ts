import { call } from './call.ts'
import type { Catalog } from './types.ts'
import { type Loading, useLoading } from './use-answer.ts'

let known: Catalog | undefined

/** The lists that people choose from. They change only with a new version of the server, so they are requested once. */
export function useCatalog(): Loading<Catalog> {
  return useLoading(async signal => {
    known ??= (await call('GET /catalog', { signal })).data
    return known
  }, [])
}
