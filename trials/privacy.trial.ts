import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminEndpoints } from '../src/admin/endpoints.ts'
import { workEndpoints } from '../src/admin/work.ts'
import { apiEndpoints } from '../src/api/endpoints.ts'
import { openEmbedded } from '../src/db/embedded.ts'
import { openPostgres } from '../src/db/postgres.ts'
import { callTool, connectAgent } from '../test/support/agent.ts'
import { ENGINES } from '../test/support/both-engines.ts'
import { createPostgresDatabase } from '../test/support/database.ts'
import type { Client, TestCompany } from '../test/support/diwan.ts'
import { type Chooser, everyWay } from '../test/support/every-way.ts'
import { newTask } from '../test/support/factories.ts'
import {
  everyRequest,
  type GeneratedRequest,
  type Known,
  withNames,
  withoutNames,
} from '../test/support/generated-requests.ts'
import { furnishNamed, missingFor, type Names, numberFromHigh } from '../test/support/hidden-work.ts'
import { listenTo } from '../test/support/listening.ts'
import { type MailServer, startMailServer } from '../test/support/mail-server.ts'
import { appAt } from '../test/support/oauth.ts'
import { random, shuffled } from '../test/support/random.ts'
import { type Env, embedded, newFolder, type ServerProcess, serve } from '../test/support/server-process.ts'
import { POSTGRES_TEMPLATE } from '../test/support/servers.ts'
import { rounds, tell } from '../test/support/trial.ts'

/** In the long form, whatever can be named is named at every place of every endpoint; in the short one some of that is drawn. */
const IS_LONG = rounds(0, 1) === 1
const REQUESTS = 150
const REFUSED_A_MINUTE = 6
const MOVED_EVERY = 10
const COMPANY = '/companies/:company'
/** In hidden work only. The second is in what nobody asks for by name. */
const HIDDEN = 'Zuhalstar'
const UNNAMED = 'Mushtaristar'
const ELSEWHERE = 'Utaridstar'

interface Facts {
  name: string
  method: string
  at: readonly string[]
  query?: unknown
  body?: unknown
}
type Agent = Awaited<ReturnType<typeof connectAgent>>
type Endpoint = Parameters<typeof everyRequest>[0]
const facts = ({ name, method, at, query, body }: Facts, above: string) =>
  ({
    name,
    method,
    at: at.map(one => one.slice(above.length)),
    ...(query ? { query } : {}),
    ...(body ? { body } : {}),
  }) as Endpoint

const OF_PEOPLE = [
  ...workEndpoints,
  ...adminEndpoints.filter(({ method, at }) => method === 'GET' && at.every(address => address.startsWith(COMPANY))),
].map(one => facts(one, COMPANY))
const OF_KEYS = apiEndpoints.map(one => facts(one, ''))

const choose: Chooser = {
  one: <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T,
  in: (times: number) => random() < 1 / times,
}

const UNCOMPARED = ['date', 'x-request-id', 'keep-alive', 'etag']

/** What somebody is told, without the names that they sent. */
async function told(client: Client, request: GeneratedRequest, names: Names) {
  const { method, path, headers, body } = request
  const { status, ...answer } = await client.send(method, withNames(path, names), {
    headers,
    ...(body !== undefined && { body: withNames(body.replace(/"(⟦[\w.]+\.id⟧)"/g, '$1'), names) }),
  })
  const kept = [...answer.headers].filter(([name]) => !UNCOMPARED.includes(name)).map(pair => pair.join(': '))
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
  return { status, text: withoutNames([...kept, text].join('\n'), names) }
}

/** A request for what is hidden, and the same for what is missing; `secrets` are the words that nobody may be told. */
async function attack(client: Client, request: GeneratedRequest, hidden: Names, secrets: () => string[]) {
  const before = secrets()
  const there = await told(client, request, hidden)
  const still = secrets().filter(word => before.includes(word))
  const leaked = still.filter(word => there.text.toLowerCase().includes(word.toLowerCase()))
  expect([request, leaked]).toEqual([request, []])
  if (!/⟦(?!fresh)/.test(`${request.path}${request.body}`)) return there.status
  const missing = await told(client, request, missingFor(hidden))
  // What was made each time has a ref and a time of its own; what is listed may have changed between the two.
  const isAlike = there.status < 300 || (there.status === missing.status && there.text === missing.text)
  if (!isAlike || there.status !== missing.status) expect([request, there]).toEqual([request, missing])
  return there.status
}

/** By refs and numbers, as tools take them. */
const namesOf = (names: Names) => Object.keys(names).filter(one => one.endsWith('.ref') || one.endsWith('.id'))

/** Calls a tool with names of hidden records and of missing ones, which have to be answered alike. */
async function isRefusedAsMissing(agent: Agent, tool: string, asked: Names, hidden: Names): Promise<boolean> {
  const call = async (names: Names) => {
    const args = Object.fromEntries(Object.entries(asked).map(([field, one]) => [field, names[one]]))
    const { isError, texts } = await callTool(agent, tool, args).catch((error: Error) => ({
      isError: true,
      texts: [error.message],
    }))
    return { isError, text: withoutNames(texts.join('\n'), names) }
  }
  const there = await call(hidden)
  if (Object.keys(asked).length > 0) expect([tool, asked, there]).toEqual([tool, asked, await call(missingFor(hidden))])
  return there.isError
}

describe.each(ENGINES)('What is hidden, on %s', engine => {
  let server: ServerProcess
  let mail: MailServer
  let drop = async () => {}
  beforeAll(async () => {
    mail = await startMailServer()
    const env: Env = { ...embedded(), SMTP_URL: mail.url, MAIL_FROM: 'Diwan <diwan@example.com>' }
    const postgres = engine === 'embedded' ? undefined : await createPostgresDatabase(POSTGRES_TEMPLATE)
    if (postgres) drop = postgres.drop
    const onError = (error: Error) => expect.fail(error.message)
    const database = postgres
      ? await openPostgres(postgres.url, { poolSize: 1, onError })
      : await openEmbedded(env.DATA_DIR as string, onError)
    await numberFromHigh({ database })
    await database.close()
    server = await serve(postgres ? { ...env, DATA_DIR: newFolder(), DATABASE_URL: postgres.url } : env)
  })
  afterAll(async () => {
    await server?.end('SIGKILL')
    await drop()
  })

  const project = (company: TestCompany, word: string, is_public: boolean) =>
    server.diwan.project(company, { name: `${word} project`, is_public, external_id: `${word}-project` })

  it('is as if it were missing, for a member, a dismissed person, a key and an app', async () => {
    const { diwan } = server
    const company = await diwan.company()
    const [member, dismissed] = [await diwan.person(company.id), await diwan.person(company.id)]
    const cursor = (await company.admin.get('/records/company/changes')).body.meta.next_cursor
    const open = await furnishNamed(company, await project(company, 'Common', true), 'Common')
    const hidden = await furnishNamed(company, await project(company, HIDDEN, false), HIDDEN)
    for (let n = 0; n < 20; n++) await newTask(company, hidden['list.ref'] as string, { title: `Common ${UNNAMED}` })
    await company.admin.patch(`/users/${dismissed.id}`, { active: false })

    const other = await diwan.company()
    // Under another name: the key sees all of its own company, and would find the hidden project by the same slug.
    const foreign = await furnishNamed(other, await project(other, ELSEWHERE, true), ELSEWHERE)
    const key = await diwan.key(company.id, { operations: ['account:read', 'discussions:read'], rights: [] })
    const { access } = await appAt(server.url).connected(company)
    const agent = await connectAgent(`${server.url}/mcp`, access)
    const tools = (await agent.listTools()).tools

    const stream = await listenTo(`${server.url}/admin/v1/companies/${company.id}/records/company/changes`, {
      authorization: `Bearer ${member.token}`,
      'last-event-id': cursor,
    })
    const known: Known = {
      open,
      emails: [member.email, company.owner.email],
      tags: ['*'],
      cursors: [cursor],
      idempotencyKey: 'the-owners',
    }

    /** A project that comes into sight and leaves it; each time that it is hidden, something is written into it. */
    const moving = await project(company, 'Moving', false)
    const list = (await company.api.post(`/projects/${moving.id}/lists`, { title: 'Moving list' })).body.data
    let [moves, isHidden] = [0, true]
    let fresh: string[] = []
    const members = `/projects/${moving.id}/members`
    async function move(): Promise<void> {
      const isByMembers = choose.in(2)
      if (isHidden) {
        expect(fresh.filter(word => stream.body().includes(word))).toEqual([])
        fresh = []
        isHidden = false
        if (isByMembers) await company.admin.post(members, { user_id: member.id })
        else await company.api.patch(`/projects/${moving.id}`, { is_public: true })
      } else {
        await company.api.patch(`/projects/${moving.id}`, { is_public: false })
        await company.admin.delete(`${members}/${member.id}`)
        isHidden = true
        const word = `Secret${++moves}of${Math.floor(random() * 1e9)}`
        await newTask(company, list.id, { title: `${word} task` })
        fresh = [word]
      }
    }

    const statuses = new Map<string, number>()
    const count = (who: string, status: number) =>
      void statuses.set(`${who} ${status}`, (statuses.get(`${who} ${status}`) ?? 0) + 1)
    const secretsOfMember = () => [HIDDEN, UNNAMED, ...fresh]
    const asMember = diwan.admin(company.id, member.token)
    const asDismissed = diwan.admin(company.id, dismissed.token)
    const began = performance.now()
    let asked = 0
    /** Somebody who was dismissed is slowed down after more failures in a minute; each request is made twice. */
    const mayFail = () => asked < REFUSED_A_MINUTE * (1 + Math.floor((performance.now() - began) / 60_000))
    const asAMember = async (request: GeneratedRequest) => {
      count('member', await attack(asMember, request, hidden, secretsOfMember))
      if (!mayFail()) return
      asked++
      count('dismissed', await attack(asDismissed, request, hidden, secretsOfMember))
    }
    const asAKey = async (request: GeneratedRequest) =>
      count('key', await attack(diwan.api(key), request, foreign, () => [UNNAMED]))
    const asAnApp = async (tool: string, asked: Names) =>
      count('app', (await isRefusedAsMissing(agent, tool, asked, foreign)) ? 404 : 200)
    /** By whoever attacks, and by endpoint or tool. */
    const ways: Record<'member' | 'key' | 'app', (() => Promise<void>)[][]> = {
      member: OF_PEOPLE.map(endpoint => everyRequest(endpoint, known).map(request => () => asAMember(request))),
      key: OF_KEYS.map(endpoint => everyRequest(endpoint, known).map(request => () => asAKey(request))),
      app: tools.map(({ name, inputSchema: { required = [] } }) =>
        everyWay(choose => Object.fromEntries(required.map(field => [field, choose.one(namesOf(foreign))]))).map(
          asked => () => asAnApp(name, asked),
        ),
      ),
    }
    const draw = () => choose.one(choose.one(ways[choose.one(['member', 'member', 'member', 'key', 'app'] as const)]))
    const attacks = IS_LONG ? shuffled(Object.values(ways).flat(2)) : Array.from({ length: REQUESTS }, draw)
    for (const [n, carryOut] of attacks.entries()) {
      const moved = n % MOVED_EVERY === 0 ? move() : undefined
      // What is in sight stays writable.
      if (n % MOVED_EVERY === 0) await company.api.post(`/projects/${open['project.ref']}/unarchive`)
      await carryOut()
      await moved
    }

    expect([...statuses.keys()]).toEqual(
      expect.arrayContaining(['member 200', 'member 404', 'dismissed 401', 'key 403']),
    )
    // Everything that was to be told by then is: the last of it is in sight.
    const last = await newTask(company, open['list.ref'] as string)
    await expect.poll(() => stream.changes.some(({ id }) => id === last.id), { timeout: 60_000 }).toBe(true)
    const refs = Object.values(hidden).filter(name => /^[a-z]{3}-[0-9a-z]{10}$/.test(name))
    const mails = mail.received.filter(({ to }) => to.includes(member.email)).map(({ text, html }) => text + html)
    for (const [where, text] of Object.entries({
      stream: stream.body(),
      mail: mails.join(),
      log: server.stdout() + server.stderr(),
    })) {
      const secrets = where === 'log' ? [UNNAMED] : [HIDDEN, UNNAMED, ...refs]
      expect([where, secrets.filter(secret => text.includes(secret))]).toEqual([where, []])
    }
    stream.leave()
    tell('privacy', {
      engine,
      requests: attacks.length,
      moves,
      mails: mails.length,
      ...Object.fromEntries([...statuses].sort()),
    })
  }, 7_200_000)
})
