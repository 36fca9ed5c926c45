import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { workEndpoints } from '../../src/admin/work.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { useOwnApp } from '../support/app.ts'
import { leaveDelivery } from '../support/deliveries.ts'
import type { Client } from '../support/diwan.ts'
import { furnishEveryRecord } from '../support/every-record.ts'
import { appAt, newVerifier } from '../support/oauth.ts'

let statements = 0
const app = useOwnApp({
  onStatement: () => {
    statements += 1
  },
})

const reads = (prefix: string, endpoints: { method: string; at: string[] }[]) =>
  endpoints.filter(({ method }) => method === 'GET').flatMap(({ at }) => at.map(address => prefix + address))
const READS = [...reads('/api/v1', apiEndpoints), ...reads('/admin/v1', adminEndpoints)]
/** The reads that people share with keys. */
const FOR_PEOPLE = reads('/admin/v1', workEndpoints).filter(read => !read.includes('/records/me/'))
const INSIDE_A_FOLDER = [
  '/api/v1/projects/:project/files?folder_id=:folder',
  '/api/v1/projects/:project/folders?parent_folder_id=:folder',
]
const isForPeople = (read: string) => read.includes('/records/')

/** The table in the document: the reads that take more or fewer statements than one, and how many. */
const document = readFileSync(join(import.meta.dirname, '../../docs/architecture.md'), 'utf8')
const documented = [...document.matchAll(/^\| `GET (\/\S+)` \| (?:(\d+) to )?(\d+) \|/gm)].map(
  ([, read = '', fewest, count]) => ({ read, fewest: Number(fewest ?? count), count: Number(count) }),
)

/** Of the browser in which an app has asked for access. */
let cookie = ''
let furnished: Awaited<ReturnType<typeof furnishEveryRecord>>
beforeAll(async () => {
  furnished = await furnishEveryRecord(app.diwan)
  furnished.names.delivery = await leaveDelivery(app.database.db, furnished.names.webhook)
  const { register, ask } = appAt(app.url)
  const asked = await ask({ client_id: (await register()).body.client_id, ...newVerifier() })
  furnished.names.request = asked.id
  cookie = asked.cookie
})

async function statementsOf(read: string): Promise<number> {
  const path = furnished.fill(read)
  const [, prefix = '', below = ''] = /^(\/\w+\/v1)(.*)$/.exec(path) ?? []
  const client = clientFor(read, prefix)
  statements = 0
  const { status } = await client.get(below, { cookie })
  expect(status, path).toBe(read.endsWith('/download') ? 302 : 200)
  return statements
}

/** Reads under `/records` are made as the owner, because events are shown only to those who take part in them. */
function clientFor(read: string, prefix: string): Client {
  const { company } = furnished
  if (prefix === '/api/v1') return company.api
  return isForPeople(read) ? app.diwan.client(prefix, company.ownerToken) : app.diwan.operator
}

it('A read is one statement, or as many as the document says; one more where people share it with keys', async () => {
  for (const { read, fewest, count } of documented) {
    expect(READS).toContain(read.split('?')[0])
    expect([read, count]).not.toEqual([read, 1])
    const statements = await statementsOf(read)
    expect([read, statements >= fewest && statements <= count]).toEqual([read, true])
  }
  for (const read of [...READS, ...INSIDE_A_FOLDER]) {
    const exception = documented.find(row => row.read === read.split('?')[0])
    expect([read, await statementsOf(read)]).toEqual([read, exception?.count ?? 1])
  }
  for (const read of FOR_PEOPLE) {
    const own = read.replace('/admin/v1/companies/:company/records', '/api/v1')
    expect([read, await statementsOf(read)]).toEqual([read, 1 + (await statementsOf(own))])
  }
})
