import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createPostgresDatabase } from '../test/support/database.ts'
import { describeWith } from '../test/support/describe-with.ts'
import type { TestCompany } from '../test/support/diwan.ts'
import { furnishEveryRecord } from '../test/support/every-record.ts'
import { ELSEWHERE, ENDING, type FuzzedRequest, fuzzer, remember } from '../test/support/fuzzed-requests.ts'
import { random } from '../test/support/random.ts'
import { previousRelease } from '../test/support/releases.ts'
import {
  type Env,
  endAll,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  type ServerProcess,
  serve,
  withoutJobs,
} from '../test/support/server-process.ts'
import { POSTGRES_TEMPLATE } from '../test/support/servers.ts'
import { rounds, tell } from '../test/support/trial.ts'
import { PlainlyNamed, smallest, twinNames } from '../test/support/twin-servers.ts'

const REQUESTS = { engines: rounds(250, 20_000), releases: rounds(125, 20_000) }
const REQUESTS_OF_A_COMPANY = 125

const DESCRIPTIONS = { api: ['openapi.json', '/api/v1'], admin: ['openapi-admin.json', '/admin/v1'] } as const
type Surface = keyof typeof DESCRIPTIONS

interface Sent extends FuzzedRequest {
  surface: Surface
  headers: Record<string, string>
}

/** Sends two servers the same requests, one after the other. */
async function compare(
  between: string,
  requests: number,
  servers: ServerProcess[],
  isSpared: (operation: string) => boolean,
) {
  const twins = servers.map(({ url }) => new PlainlyNamed(url, OPERATOR_TOKEN))
  const names = twinNames()
  const surfaces = { api: fuzzer(...DESCRIPTIONS.api), admin: fuzzer(...DESCRIPTIONS.admin) }
  const statuses = new Map<number, number>()
  let companies: TestCompany[] = []

  const ask = ({ surface, method, path, headers, body }: Sent) =>
    Promise.all(
      twins.map((twin, n) => {
        const { key, ownerToken } = companies[n] as TestCompany
        const said = (text: string) => (n === 0 ? text : names.translated(text))
        const init = { headers, ...(body !== undefined && { body: said(body) }) }
        return twin.client('', surface === 'api' ? key : ownerToken).send(method, said(path), init)
      }),
    )
  const differenceIn = async (request: Sent) => {
    const [one, other] = await ask(request)
    return one && other && names.difference(one, other)
  }

  /** What a file has in it may be a cursor, of which each server's has its own length, and a file tells how long it is. */
  const hasOwnSize = ({ body }: Sent) =>
    body?.includes('"content"') && Buffer.byteLength(names.translated(body)) !== Buffer.byteLength(body)

  for (let sent = 0; sent < requests; sent += REQUESTS_OF_A_COMPANY) {
    const furnished = await Promise.all(twins.map(twin => furnishEveryRecord(twin)))
    companies = furnished.map(({ company }) => company)
    const [one, other] = furnished
    names.learn(one?.names, other?.names)
    const pool = new Map(
      Object.entries({ ...one?.names, company: String(one?.company.id) }).map(([kind, name]) => [kind, [name]]),
    )
    for (let n = 0; n < REQUESTS_OF_A_COMPANY; n++) {
      const surface = random() < 1 / 3 ? 'admin' : 'api'
      const fuzzed = surfaces[surface].next(pool, isSpared)
      const request = { ...fuzzed, surface, headers: headersFor(fuzzed) } as const
      const [first, second] = await ask(request)
      if (!first || !second) throw new Error('Two servers are compared')
      const isComparable = !isAboutChance(request) && !hasOwnSize(request)
      const difference = isComparable ? names.difference(first, second) : undefined
      if (difference !== undefined) {
        const { method, path, body } = await smallest(request, async less => (await differenceIn(less)) !== undefined)
        expect.fail(`${method} ${path} ${body ?? ''}\nis answered differently:\n${difference}`)
      }
      statuses.set(first.status, (statuses.get(first.status) ?? 0) + 1)
      remember(first.body, pool, request.path)
    }
  }
  tell('diff', { between, requests, ...Object.fromEntries([...statuses].sort(([a], [b]) => a - b)) })
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 404, 422]))
}

/** Which records have a word depends on the letters of their names, of which some are refs, and those are drawn by chance. */
const isAboutChance = ({ path }: Sent) => {
  const words = new URL(path, 'http://diwan').searchParams.get('q')
  return words !== null && /(prj|lst|tsk|mjl|fil)-|(?<![a-z0-9])[a-z0-9]{1,3}(?![a-z0-9])/i.test(words)
}

function headersFor({ body }: FuzzedRequest): Sent['headers'] {
  return {
    // What is compressed depends on the length of names that are drawn by chance.
    'accept-encoding': 'identity',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(random() < 0.1 && { 'accept-language': 'ar' }),
    ...(random() < 0.1 && { 'idempotency-key': `once-${Math.floor(random() * 5)}` }),
    ...(random() < 0.05 && { 'if-match': '*' }),
    ...(random() < 0.05 && { 'if-none-match': '*' }),
  }
}

/** The operations that another release describes otherwise, or does not have. */
function describedOtherwise(folder: string): Set<string> {
  const otherwise = new Set<string>()
  for (const [file] of Object.values(DESCRIPTIONS)) {
    const [here, there] = [file, join(folder, file)].map(operationsIn)
    for (const [id, text] of here ?? []) if (there?.get(id) !== text) otherwise.add(id)
  }
  return otherwise
}

function operationsIn(file: string): Map<string, string> {
  const description = JSON.parse(readFileSync(file, 'utf8'))
  const paths = Object.values<Record<string, { operationId: string }>>(description.paths)
  const parts: Record<string, unknown> = description.components
  const written = (value: unknown, above: string[]): string =>
    JSON.stringify(value).replace(/\{"\$ref":"#\/components\/([^"]+)"\}/g, (all, at: string) =>
      above.includes(at)
        ? all
        : written(
            at.split('/').reduce((found, step) => (found as never)[step], parts as unknown),
            [...above, at],
          ),
    )
  return new Map(paths.flatMap(path => Object.values(path).map(one => [one.operationId, written(one, [])])))
}

/** What is counted and logged behind the answer comes a moment later. */
const COUNTED_LATER = /usage|requests?$|figures|health/i
const isLeftOut = (operation: string) => [ENDING, COUNTED_LATER, ELSEWHERE].some(group => group.test(operation))
const own: Env = { SERVER_SECRET, OPERATOR_TOKEN, BURST_PER_MINUTE: '0', WORKER: 'off' }

describe('The same requests', () => {
  const dropped: (() => Promise<void>)[] = []
  afterAll(async () => {
    await endAll()
    for (const drop of dropped) await drop()
  })

  describeWith('postgres', 'sent to PostgreSQL too', () =>
    it(`are answered alike by both engines, ${REQUESTS.engines} times`, { timeout: 7_200_000 }, async () => {
      const database = await createPostgresDatabase(POSTGRES_TEMPLATE)
      dropped.push(database.drop)
      const postgres = { ...own, DATA_DIR: newFolder(), DATABASE_URL: database.url }
      const servers = await Promise.all([serve(withoutJobs()), serve(postgres)])
      await compare('the engines', REQUESTS.engines, servers, isLeftOut)
    }),
  )

  it(`are answered alike by the release before where it describes them alike, ${REQUESTS.releases} times`, async () => {
    const previous = previousRelease()
    const otherwise = describedOtherwise(previous.folder)
    const servers = await Promise.all([
      serve(withoutJobs()),
      serve({ ...own, DATA_DIR: newFolder(), DEMO: 'off' }, [], previous.main),
    ])
    await compare(
      `this release and ${previous.name}`,
      REQUESTS.releases,
      servers,
      id => isLeftOut(id) || otherwise.has(id),
    )
  }, 7_200_000)
})
