import { getAccount } from '../api/account.ts'
import { listChanges } from '../api/changes.ts'
import { apiEndpoints } from '../api/endpoints.ts'
import type { ApiEndpoint } from '../api/gate.ts'
import { readerOf } from '../domain/access/reader.ts'
import type { AdminCall, AdminEndpoint } from './gate.ts'

type ApiRead = Extract<ApiEndpoint, { method: 'GET' }>

/** The contract version since which leaders can read. */
const SINCE = '1.6.0'

/** Endpoints about the calling key. Here, changes have a list of their own, which names the keys. */
const ABOUT_THE_KEY: ApiEndpoint[] = [getAccount, listChanges]

/** The reads of the API once more, for leaders of a company: nothing about the records is declared twice. */
export const readsForLeaders: AdminEndpoint[] = apiEndpoints
  .filter(endpoint => endpoint.method === 'GET')
  .filter(endpoint => !ABOUT_THE_KEY.includes(endpoint))
  .map(forLeaders)

function forLeaders({ name, at, read, ...facts }: ApiRead): AdminEndpoint {
  return {
    ...facts,
    name: name.replace(/^(?:get|list)_/, 'read_'),
    since: isLater(facts.since) ? facts.since : SINCE,
    operation: 'work:read',
    who: 'leaders',
    at: at.map(address => `/companies/:company/records${address}`),
    read: async (call, query) => read(await asReader(call), query),
  }
}

function isLater(version: string): boolean {
  return version.localeCompare(SINCE, 'en', { numeric: true }) > 0
}

/** A key sees all projects of its company, private ones too, and so do leaders. Events are those of the person who reads. */
async function asReader(call: AdminCall) {
  const { db, companyId, by } = call
  return Object.assign(call, await readerOf(db, companyId, by === 'operator' ? undefined : by))
}
