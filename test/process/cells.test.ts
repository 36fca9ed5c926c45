import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { digestOf, mintCredential } from '../../src/domain/access/credentials.ts'
import { createCellProof } from '../../src/domain/cells/proof.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { startHaproxyOfCells } from '../support/haproxy.ts'
import { appAt, listTools, newVerifier } from '../support/oauth.ts'
import { findParts } from '../support/parts.ts'
import {
  type Env,
  launch,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  type ServerProcess,
  serve,
} from '../support/server-process.ts'
import { askPostgres, freePort, until } from '../support/servers.ts'

const parts = findParts()
const PUBLIC_URL = 'https://diwan.example.com'
const from = (address: string) => ({ 'x-forwarded-for': address })
/** The internal address, as a cell of the same installation asks there. */
const AS_A_CELL = { authorization: `Bearer ${createCellProof(SERVER_SECRET).bearer}` }

describe.skipIf(!inject('postgresUrl') || !parts.haproxy)('Two cells', () => {
  let databases: Awaited<ReturnType<typeof createPostgresDatabase>>[]
  let envs: Env[]
  let cells: [ServerProcess, ServerProcess]
  let proxy: Awaited<ReturnType<typeof startHaproxyOfCells>>
  /** One in each cell. */
  let [here, there]: TestCompany[] = []
  let listThere: string

  const one = () => cells[0].diwan
  const two = () => cells[1].diwan
  const company = (n: 0 | 1) => (n === 0 ? here : there) as TestCompany

  /** A browser that was signed in in the second cell. */
  async function signedIn(token: string): Promise<{ cookie: string }> {
    const answer = await two().client('/admin/v1').post('/sessions', { token })
    return { cookie: (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] as string }
  }

  beforeAll(async () => {
    databases = [await createPostgresDatabase(), await createPostgresDatabase()]
    const ports = [await freePort(), await freePort()]
    const addresses = ports.map(port => `127.0.0.1:${port}`)
    envs = databases.map(({ url }, n) => ({
      DATABASE_URL: url,
      DATA_DIR: newFolder(),
      PORT: String(ports[n]),
      CELL: String([1, 7][n]),
      CELLS: `1=http://${addresses[0]}, 7=http://${addresses[1]}`,
      PUBLIC_URL,
      SERVER_SECRET,
      OPERATOR_TOKEN,
      TRUST_PROXY: 'loopback',
      WORKER: 'off',
    }))
    cells = (await Promise.all(envs.map(env => serve(env)))) as typeof cells
    proxy = await startHaproxyOfCells(parts.haproxy as string, addresses)
    here = await one().company({ name: 'Company here', daily_calls: 100_000 })
    there = await two().company({ name: 'Company there', daily_calls: 100_000 })
    listThere = (await newList(there, (await two().project(there)).id)).id
  })
  afterAll(async () => {
    await proxy?.stop()
    await Promise.all(cells?.map(cell => cell.end('SIGKILL')) ?? [])
    await Promise.all(databases?.map(database => database.drop()) ?? [])
  })

  it('number their companies apart, and put the number into every credential of a company', async () => {
    expect([company(0).id, company(1).id]).toEqual([1_000_001, 7_000_001])
    expect(company(1).key).toMatch(/^svc_api_7000001_[0-9A-Za-z]{49}$/)
    expect(company(1).ownerToken).toMatch(/^svc_7000001_[0-9A-Za-z]{49}$/)
    expect((await company(1).admin.get('')).body.data.cell).toBe(7)
    const again = launch({ ...(envs[0] as Env), PORT: '0', CELL: '2' })
    expect((await again.exited).code).toBe(1)
    expect(again.stderr()).toContain('CELL must be 1: this is the database of cell 1')
  })

  it('answer any call in either, whether its key has a number or is older than that', async () => {
    const { token, digest } = mintCredential('svc_api_', SERVER_SECRET)
    await two().key(company(1).id, { name: 'Older' })
    await askPostgres(
      databases[1]?.url ?? '',
      `update api_keys set digest = '\\x${digest.toString('hex')}' where name = 'Older'`,
    )
    for (const key of [token, company(1).key])
      for (const diwan of [one(), two()]) {
        const { status, body, headers } = await diwan.api(key).get('/me', { 'x-request-id': 'the-caller-s-own' })
        expect([status, body.data?.company.name]).toEqual([200, 'Company there'])
        expect(headers.get('x-request-id')).toBe('the-caller-s-own')
      }
    const unknown = [mintCredential('svc_api_', SERVER_SECRET), mintCredential('svc_api_', SERVER_SECRET, 7_000_001)]
    for (const key of [
      ...unknown.map(({ token }) => token),
      mintCredential('svc_api_', SERVER_SECRET, 7_000_009).token,
    ])
      expect((await one().api(key).get('/me')).status).toBe(401)
    // What pretends to have been passed on is taken for what it is.
    const forged = await one()
      .api(company(1).key)
      .get('/me', { 'x-diwan-passed-on': `${Buffer.from('[]').toString('base64url')}.AAAA` })
    expect(forged.status).toBe(200)
  })

  it('count a call that was passed on once, in the name of its caller', async () => {
    const left = async () => Number((await one().api(company(1).key).get('/me')).headers.get('x-ratelimit-remaining'))
    expect((await left()) - (await left())).toBe(1)
    const tasks = Array(100).fill({ title: 'شراء الأثاث' })
    const keys = [await two().key(company(1).id), await two().key(company(1).id)] as const
    const send = async (diwan: typeof two, key: string, address: string) =>
      (await diwan().api(key).post(`/lists/${listThere}/tasks/batch`, { tasks }, from(address))).status
    // Of 300 a minute for each key and each address.
    for (const key of [keys[0], keys[0], keys[1]]) expect(await send(one, key, '203.0.113.7')).toBe(201)
    expect(await send(one, keys[1], '203.0.113.7')).toBe(429)
    expect(await send(two, keys[1], '203.0.113.7')).toBe(429)
    expect(await send(one, keys[1], '203.0.113.8')).toBe(201)
  })

  it('stream uploads, downloads and the feed through each other, and end what the caller has left', async () => {
    const api = one().api(company(1).key)
    const bytes = randomBytes(4 * 1024 * 1024)
    const project = (await created(api.post('/projects', { name: 'أرشيف' }))).data
    const content = { name: 'large.bin', content_base64: bytes.toString('base64') }
    const { data: file } = await created(api.post(`/projects/${project.id}/files`, content))
    await askPostgres(databases[1]?.url ?? '', "update files set scan_state = 'clean'")
    const headers = { authorization: `Bearer ${company(1).key}` }
    const download = await fetch(`${cells[0].url}/api/v1/projects/${project.id}/files/${file.id}/download`, { headers })
    expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)

    const leaving = new AbortController()
    const open = () =>
      fetch(`${cells[0].url}/api/v1/company/changes`, {
        headers: { ...headers, accept: 'text/event-stream' },
        signal: leaving.signal,
      })
    const stream = await open()
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    const task = await newTask({ api }, listThere)
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    let told = ''
    while (!told.includes(task.id)) told += (await reader?.read())?.value
    // A key may have five. When the caller leaves one cell, the stream ends in the other.
    // An answer that nobody holds is ended by fetch.
    const held = [await open(), await open(), await open(), await open(), await open()]
    expect(held.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429])
    leaving.abort()
    const another = { headers: { ...headers, accept: 'text/event-stream' } }
    await until(async () => {
      const { status, body } = await fetch(`${cells[1].url}/api/v1/company/changes`, another)
      await body?.cancel()
      return status === 200
    })
  })

  it('sign people in to the console through either, and tools and apps as well', async () => {
    const signIn = { token: company(1).ownerToken }
    const answer = await one().client('/admin/v1').post('/sessions', signIn, from('203.0.113.9'))
    expect([answer.status, answer.body.data.company.id]).toEqual([201, 7_000_001])
    const cookie = (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] as string
    expect(cookie).toMatch(/^diwan_session=svc_ses_7000001_/)
    const browser = { cookie, 'x-diwan-console': '1' }
    for (const diwan of [one(), two()]) {
      const me = await diwan.client('/admin/v1').get('/me', { cookie })
      expect([me.status, me.body.data.user.id]).toEqual([200, company(1).owner.id])
    }
    const sessions = await one()
      .client('/admin/v1')
      .get(`/companies/7000001/users/${company(1).owner.id}/sessions`, browser)
    expect(sessions.body.data.map(({ address }: { address: string }) => address)).toEqual(['203.0.113.9'])
    expect((await one().client('/admin/v1').post('/sessions', { token: 'svc_wrong' })).status).toBe(401)
    // However many come at once, they are no guesses, of which an address has 20 in a minute.
    const withToken = { authorization: `Bearer ${company(1).ownerToken}`, ...from('203.0.113.10') }
    const atOnce = Array.from({ length: 60 }, () => one().client('/admin/v1').get('/me', withToken))
    expect(new Set((await Promise.all(atOnce)).map(({ status }) => status))).toEqual(new Set([200]))

    const [app, inOther] = [appAt(cells[1].url), appAt(cells[0].url)]
    const { client_id } = (await app.register()).body
    const { code_challenge, code_verifier } = newVerifier()
    const asked = await app.ask({ client_id, code_challenge, resource: `${PUBLIC_URL}/mcp` })
    const { code } = await app.grant(company(1).admin, asked)
    const { body: tokens } = await inOther.exchange({ client_id, code, code_verifier })
    expect((await listTools(cells[0].url, tokens.access_token)).status).toBe(200)
    const { body: next } = await inOther.refresh(client_id, tokens.refresh_token)
    expect(next.access_token).toMatch(/^svc_app_7000001_/)
    expect((await inOther.revoke(next.refresh_token, { client_id })).status).toBe(200)
    expect((await listTools(cells[1].url, next.access_token)).status).toBe(401)
  })

  it('show the operator all companies as one list, in whichever the session began', async () => {
    for (const n of [1, 2]) {
      await one().company({ name: `Furnished ${n}` })
      await two().company({ name: `Furnished ${n}` })
    }
    const { cookie } = await signedIn(OPERATOR_TOKEN)
    for (const diwan of [one(), two()]) {
      const operator = diwan.client('/admin/v1')
      const listed: [number, number][] = []
      let next: string | null = ''
      while (next !== null) {
        const page = await operator.get(`/companies?q=furnished&limit=3${next && `&cursor=${next}`}`, { cookie })
        expect([page.status, page.body.meta.total, page.body.meta.cells_away]).toEqual([200, 4, []])
        for (const { id, cell } of page.body.data) listed.push([id, cell])
        next = page.body.meta.next_cursor
      }
      expect(listed).toEqual([
        [1_000_002, 1],
        [1_000_003, 1],
        [7_000_002, 7],
        [7_000_003, 7],
      ])
      expect((await operator.get('/companies?offset=1', { cookie })).status).toBe(422)
      const lengths = ['GET', 'HEAD'].map(async method => {
        const { headers } = await operator.send(method, '/companies', {
          headers: { cookie, 'accept-encoding': 'identity' },
        })
        return headers.get('content-length')
      })
      expect(new Set(await Promise.all(lengths)).size).toBe(1)
      // A session of one cell is good for the companies of both.
      for (const id of [1_000_001, 7_000_001]) {
        const read = await operator.get(`/companies/${id}`, { cookie })
        expect([read.status, read.body.data.id]).toEqual([200, id])
        const sent = { method: 'PATCH', body: JSON.stringify({ language: 'ar' }) }
        const own = { cookie, 'content-type': 'application/json', 'x-diwan-console': '1' }
        const written = await operator.send(sent.method, `/companies/${id}`, { body: sent.body, headers: own })
        expect([written.status, written.body.data.language]).toEqual([200, 'ar'])
        const foreign = await operator.send(sent.method, `/companies/${id}`, { body: sent.body, headers: { cookie } })
        expect(foreign.status).toBe(403)
      }
      expect((await operator.get('/companies/7999999', { cookie })).status).toBe(404)
    }
    // Signing out in one cell ends the session in the other.
    const left = await one()
      .client('/admin/v1')
      .send('DELETE', '/sessions/current', { headers: { cookie, 'x-diwan-console': '1' } })
    expect(left.status).toBe(200)
    for (const diwan of [one(), two()])
      expect((await diwan.client('/admin/v1').get('/companies/1000001', { cookie })).status).toBe(401)
  })

  it('tell each other where something is, and nobody else that there is such an address', async () => {
    const digest = digestOf(company(1).key, SERVER_SECRET).toString('hex')
    const ask = (query: string, headers = {}) => two().client('/internal').get(`/where?${query}`, headers)
    for (const query of ['company=7000001', `digest=${digest}`]) {
      const told = await ask(query, AS_A_CELL)
      expect([told.status, told.body]).toEqual([200, { cell: 7, company: 7_000_001 }])
    }
    for (const query of ['company=1000001', 'digest=00', 'company=x', ''])
      expect((await ask(query, AS_A_CELL)).body.error.code).toBe('not_found')
    const shown = ({ status, headers, body }: Awaited<ReturnType<typeof ask>>) => {
      const { 'x-request-id': _id, date: _date, ...rest } = Object.fromEntries(headers)
      return {
        status,
        rest,
        body: JSON.parse(JSON.stringify(body).replaceAll('where', 'nowhere').replaceAll('nonowhere', 'nowhere')),
      }
    }
    const unknown = await two().client('/internal').get('/nowhere?company=7000001')
    for (const headers of [{}, { authorization: `Bearer ${OPERATOR_TOKEN}` }, { authorization: 'Bearer x' }])
      expect(shown(await ask('company=7000001', headers))).toMatchObject({ status: 404, body: unknown.body })
    expect((await proxy.ask('/internal/where?company=7000001', { headers: AS_A_CELL })).status).toBe(404)
  })

  it('pass on what has moved, and never twice', async () => {
    const moved = await one().company()
    const state = (moving: string) =>
      askPostgres(
        databases[0]?.url ?? '',
        `update companies set moving = ${moving}, moved_to = 7 where id = ${moved.id}`,
      )
    await state("'left'")
    const told = await one().client('/internal').get(`/where?company=${moved.id}`, AS_A_CELL)
    expect(told.body).toEqual({ cell: 7, company: moved.id })
    // The other cell does not serve it yet: whichever is asked, the call does not go round in circles.
    for (const diwan of [one(), two()]) {
      const { status, body } = await diwan.api(moved.key).get('/me')
      expect([status, body.error.code]).toEqual([503, 'unavailable'])
    }
    await state("'arriving'")
    expect((await one().api(moved.key).get('/me')).status).toBe(404)
    await state("'leaving'")
    expect((await two().api(moved.key).get('/me')).status).toBe(200)
  })

  it('find a company that has moved on since it left', async () => {
    const { id, key } = company(1)
    // It went from here to a cell that is gone, and from there to where it is.
    await askPostgres(
      databases[0]?.url ?? '',
      `insert into companies (id, name, time_zone, plan, moving, moved_to, closed_at)
       overriding system value values (${id}, 'Left', 'UTC', 'pro', 'left', 9, now())`,
    )
    for (const diwan of [one(), two()]) expect((await diwan.api(key).get('/me')).status).toBe(200)
    expect((await one().operator.get(`/companies/${id}`)).body.data.name).toBe('Company there')
    await askPostgres(databases[0]?.url ?? '', `delete from companies where id = ${id}`)
  })

  it('are found by HAProxy with its map, which is changed while it runs, and without', async () => {
    let asked = 0
    /** Whether a call through the proxy came through the cell that it does not belong to. */
    const comesThroughOther = async (path: string, token: string) => {
      const [id, after] = [`asked-${++asked}`, `after-${asked}`]
      const answer = await proxy.ask(path, { headers: { authorization: `Bearer ${token}`, 'x-request-id': id } })
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('Company there')])
      // What comes later is logged later.
      await one().client('/api/v1').get('/me', { 'x-request-id': after })
      await until(async () => cells[0].stderr().includes(`"${after}"`))
      return cells[0].stderr().includes(`"${id}"`)
    }
    const { key, ownerToken } = company(1)
    expect(await comesThroughOther('/api/v1/me', key)).toBe(true)
    expect(await proxy.tell(`add map ${proxy.map} 7000001 cell-2`)).toBe('')
    for (const [path, token] of [
      ['/api/v1/me', key],
      ['/admin/v1/me', ownerToken],
      ['/admin/v1/companies/7000001', OPERATOR_TOKEN],
    ] as const)
      expect(await comesThroughOther(path, token)).toBe(false)
    const { cookie } = await signedIn(ownerToken)
    const me = await proxy.ask('/admin/v1/me', { headers: { cookie, 'x-request-id': 'by-cookie' } })
    expect(me.status).toBe(200)
    await until(async () => cells[1].stderr().includes('"by-cookie"'))
    expect(cells[0].stderr()).not.toContain('"by-cookie"')
    // A line that is out of date costs a hop and nothing else.
    expect(await proxy.tell(`set map ${proxy.map} 7000001 cell-1`)).toBe('')
    expect(await comesThroughOther('/api/v1/me', key)).toBe(true)
  })

  it('go on when the other hangs or is gone: its companies get 503 soon, and the list says what is missing', async () => {
    const started = performance.now()
    process.kill(cells[1].pid, 'SIGSTOP')
    expect((await one().api(company(1).key).get('/me')).status).toBe(503)
    expect((await one().operator.get('/companies')).body.meta.cells_away).toEqual([7])
    await cells[1].end('SIGKILL')
    for (const key of [company(1).key, mintCredential('svc_api_', SERVER_SECRET).token]) {
      const { status, body, headers } = await one().api(key).get('/me')
      expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'unavailable', null])
    }
    const list = await one().operator.get('/companies')
    expect(list.body.meta.cells_away).toEqual([7])
    expect(list.body.data.map(({ cell }: { cell: number }) => cell)).not.toContain(7)
    expect((await one().api(company(0).key).get('/me')).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(30_000)
    cells[1] = await serve(envs[1] as Env)
    expect((await one().api(company(1).key).get('/me')).status).toBe(200)
  })
})
