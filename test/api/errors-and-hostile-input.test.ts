import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { ignoredIn } from '../support/contract.ts'
import type { Answer, TestCompany } from '../support/diwan.ts'
import { requestText, sendRaw } from '../support/raw-http.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()
let company: TestCompany
let ref: string
beforeAll(async () => {
  company = await app.diwan.company()
  ref = (await app.diwan.project(company)).id
})

const JSON_TYPE = { 'content-type': 'application/json' }
const authorization = () => ({ authorization: `Bearer ${company.key}` })

/** A POST /projects with exactly this body. */
const post = (body: string | Uint8Array, headers: Record<string, string> = JSON_TYPE) =>
  company.api.send('POST', '/projects', { body, headers })

function expectUnprocessable(answer: Answer, message: RegExp): void {
  expectRefusal(answer, 422, 'unprocessable_entity', expect.stringMatching(message))
}

function expectUnknownEndpoint({ status, body }: Answer, path: string): void {
  expect(status).toBe(404)
  expect(body).toEqual({ error: { code: 'unknown_endpoint', message: expect.any(String), path } })
}

describe('An address that no endpoint answers', () => {
  it('is 404 unknown_endpoint with its path, with and without a key', async () => {
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['GET', ''],
      ['PUT', '/projects'],
      ['POST', '/me'],
      ['OPTIONS', '/projects'],
      ['GET', '/Projects'],
      ['GET', '/projects/%zz'],
      ['GET', '/projects/%ED%A0%80'],
    ] as const)
      for (const api of [company.api, app.diwan.api()]) {
        const answer = await api.send(method, `${path}?secret=1`)
        expectUnknownEndpoint(answer, `/api/v1${path}`)
        expect(answer.headers.get('x-request-id')).toBeTruthy()
      }
    for (const path of ['/api/v2/projects', '/api', '/nothing', '/admin/v1/nothing', '//api/v1/me'])
      expectUnknownEndpoint(await app.diwan.client('').get(path), path)
  })
})

describe('Addresses', () => {
  it('HEAD is refused as GET is', async () => {
    expect((await app.diwan.api().send('HEAD', '/me')).status).toBe(401)
    expect((await company.api.send('HEAD', '/projects/missing')).status).toBe(404)
    expect((await company.api.send('HEAD', `/projects/${ref}/archive`)).status).toBe(404)
  })

  it('a trailing slash is ignored', async () => {
    expect((await company.api.get('/me/')).status).toBe(200)
    expect((await company.api.get(`/projects/${ref}/?x=1`)).body.data.id).toBe(ref)
    expect((await company.api.post('/projects/', { name: 'Slash' })).status).toBe(201)
  })

  it('a handle that could not be one is not found, on reads and writes', async () => {
    for (const handle of [
      'a%00b',
      '..%2F..%2Fetc%2Fpasswd',
      '%25',
      "'%20or%201=1--",
      'x'.repeat(5_000),
      encodeURIComponent('م'.repeat(1_500)),
      '%EF%BF%BF',
      '__proto__',
    ]) {
      expectRefusal(await company.api.get(`/projects/${handle}`), 404, 'not_found')
      expectRefusal(await company.api.patch(`/projects/${handle}`, { name: 'X' }), 404, 'not_found')
    }
  })

  it('a read never fails on its query', async () => {
    for (const query of ['limit=%00', 'limit[a]=5', '__proto__=1', '&&&===', 'offset=%F0', `x=${'y'.repeat(5_000)}`]) {
      const { status, body } = await company.api.get(`/projects?${query}`)
      expect([query, status, body.meta.limit, body.meta.offset]).toEqual([query, 200, 50, 0])
    }
  })
})

describe('A body', () => {
  const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map(part => Buffer.from(part as string)))

  it('that cannot be read is 422, which says why', async () => {
    for (const [body, message] of [
      ['{"name":', /^body must be valid JSON/],
      ['{"name":"x"}{"name":"y"}', /^body must be valid JSON/],
      ['name=x', /^body must be valid JSON/],
      ['null', /^body must be a JSON object/],
      ['{"name":"a","n\\u0061me":"b"}', /^body .*"name"/],
      [bytes('{"name":"', [0xff, 0xfe], '"}'), /^body must be valid UTF-8/],
      [bytes('{"name":"', [0xed, 0xa0, 0x80], '"}'), /^body must be valid UTF-8/],
      [Buffer.from('{"name":"x"}', 'utf16le'), /^body must be valid/],
      [`{"name":"x","padding":"${'x'.repeat(40 * 1024 * 1024)}"}`, /^body is too large/],
      ['['.repeat(1_001), /^body is nested too deeply/],
      [`{"name":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`, /^body is nested too deeply/],
      [`{"name":${'['.repeat(999)}${']'.repeat(999)}}`, /^name must be a string/],
      ['{"name":"x","description":"a\\u009f"}', /^description must not/],
      ['{"name":"x","description":"\\udc00\\ud83d"}', /^description must not/],
    ] as const)
      expectUnprocessable(await post(body), message)
  })

  it('is read under the content types of JSON in UTF-8, and under no other', async () => {
    for (const [type, isRead] of [
      ['application/json; charset=utf-8', true],
      ['Application/JSON;charset="UTF-8"', true],
      ['application/json ;charset = utf8;', true],
      ['application/json; profile="a;b"; charset=utf-8; q=1', true],
      ['application/vnd.api+json; ext=bulk', true],
      ['text/plain', false],
      ['application/x-www-form-urlencoded', false],
      ['multipart/form-data; boundary=x', false],
      [';', false],
      ['application/jsonx', false],
      ['application/+json', false],
      ['application/json; version=1; charset=windows-1256', false],
    ] as const) {
      const answer = await post('{"name":"x"}', { 'content-type': type })
      expect([type, answer.status]).toEqual([type, isRead ? 201 : 422])
      if (!isRead) expectUnprocessable(answer, /^body must be JSON/)
    }
    const body = '{"name":"ديوان"}'
    const headers = { ...authorization(), 'content-length': String(Buffer.byteLength(body)) }
    const { status, body: sent } = await sendRaw(app.url, requestText('POST', '/api/v1/projects', headers, body))
    expect([status, sent.data.name]).toEqual([201, 'ديوان'])
  })

  it('that is empty counts as {}, with and without a content type', async () => {
    for (const headers of [{}, JSON_TYPE, { 'content-type': 'text/plain' }]) {
      expectUnprocessable(await post('', headers), /^name can't be blank$/)
      expect((await company.api.send('PATCH', `/projects/${ref}`, { headers })).status).toBe(200)
    }
    expectUnprocessable(await post(' \n'), /^name can't be blank$/)
  })

  it('that looks wrapped is said to, and no other', async () => {
    expectUnprocessable(await post('{"project":{"name":"x"}}'), /^name can't be blank.*looks wrapped.*"project"/)
    for (const body of ['{"project":"x"}', '{"project":[1]}', '{"a":{"name":"x"},"b":{}}', '{}'])
      expectUnprocessable(await post(body), /^name can't be blank$/)
    const { data } = (await company.api.patch(`/projects/${ref}`, { project: { name: 'Wrapped' } })).body
    expect(data.name).not.toBe('Wrapped')
  })
})

describe('Names that are not ours', () => {
  it('of fields are dropped and told, as they were sent', async () => {
    for (const [body, names] of [
      ['{"name":"x","titel":1,"Name":2,"id":"prj-0123456789"}', ['titel', 'Name', 'id']],
      ['{"name":"x","العنوان":1,"a, b":2,"🚀":3,"":4}', ['العنوان', 'a, b', '🚀', '']],
      [
        '{"name":"x","__proto__":{"is_public":false},"constructor":1,"toString":2}',
        ['__proto__', 'constructor', 'toString'],
      ],
      ['{"name":"x","a\\u0000\\r\\nSet-Cookie: b":1}', ['a\u0000\r\nSet-Cookie: b']],
      ['{"name":"x","\\ud800":"\\ud800"}', ['\ufffd']],
      ['{"name":"x"}', undefined],
    ] as const) {
      const answer = await post(body)
      expect([body, answer.status, ignoredIn(answer, 'fields')]).toEqual([body, 201, names])
      expect(answer.body.data).toMatchObject({ name: 'x', is_public: true })
      expect(answer.body.data.id).not.toBe('prj-0123456789')
    }
    const refused = await post('{"nmae":"x"}')
    expectUnprocessable(refused, /^name can't be blank$/)
    expect(ignoredIn(refused, 'fields')).toEqual(['nmae'])
  })

  it('never fail a call, however many or long they are', async () => {
    const named = (count: number, name: (n: number) => string) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), n])))
    for (const fields of [
      named(10_000, n => `f${n}`),
      named(2, n => `${'a'.repeat(99 * n)}${'🚀'.repeat(1_000)}`),
      named(100, n => 'م'.repeat(900) + n),
      JSON.stringify({ x: 'é"\\'.repeat(150_000) }),
      `{"x":${'['.repeat(999)}${']'.repeat(999)}}`,
    ]) {
      const answer = await post(`{"name":"x",${fields.slice(1)}`)
      expect([answer.status, answer.headers.has('x-ignored-fields')]).toEqual([201, true])
    }
  })

  it('of parameters are told each once, as far as a header can carry them, also on a 304', async () => {
    const answer = await company.api.get('/projects?limit=5&Limit=1&x=1&x=2&offset=0&__proto__=1&toString=2')
    expect([answer.status, answer.body.meta.limit]).toEqual([200, 5])
    expect(ignoredIn(answer, 'parameters')).toEqual(['Limit', 'x', '__proto__', 'toString'])
    expect(ignoredIn(await company.api.get('/projects?limit=5&offset=0&&==='), 'parameters')).toBeUndefined()
    const names = [
      'a, b',
      '🚀'.repeat(30),
      'a\u0000\r\nSet-Cookie: b',
      ...Array.from({ length: 100 }, (_, n) => `p${n}`),
    ]
    const path = `/me?${names.map(name => `${encodeURIComponent(name)}=1`).join('&')}`
    const many = await company.api.get(path)
    expect(ignoredIn(many, 'parameters')).toHaveLength(20)
    expect(ignoredIn(many, 'parameters')?.slice(0, 3)).toEqual(['a, b', '🚀'.repeat(20), 'a\u0000\r\nSet-Cookie: b'])
    const same = await company.api.get(path, { 'if-none-match': many.headers.get('etag') as string })
    expect([same.status, ignoredIn(same, 'parameters')?.length]).toEqual([304, 20])
  })
})

describe('A filter that cannot be read', () => {
  it('is not dropped', async () => {
    for (const name of ['from', 'to'])
      for (const value of ['%00', '2027-01-01%00', '%7F', '2027-01-01%C2%85', `&${name}=%1b`, `%00&${name}=2027-01-01`])
        expectUnprocessable(
          await company.api.get(`/events?${name}=${value}`),
          new RegExp(`^${name} must not contain control characters`),
        )
  })
})

describe('X-Request-Id', () => {
  it('is kept where it is one, and replaced by one of ours where it is not', async () => {
    for (const path of ['/me', '/nothing', '/projects/missing', '/projects/%zz'])
      expect((await company.api.get(path, { 'x-request-id': 'A.b:c_d-1' })).headers.get('x-request-id')).toBe(
        'A.b:c_d-1',
      )
    for (const id of ['', 'two words', 'a\tb', '<script>', 'é', 'x'.repeat(1_000)]) {
      const answer = await app.diwan.api().get('/me', { 'x-request-id': id })
      expect([id, answer.headers.get('x-request-id')]).toEqual([id, expect.stringMatching(/^[0-9a-f-]{36}$/)])
    }
  })
})

describe('On the wire', () => {
  it('bytes that are no HTTP, or too many of them, are answered in our envelope, as 422', async () => {
    const me = (headers: Record<string, string>) => requestText('GET', '/api/v1/me', headers)
    for (const bytes of [
      'garbage\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      requestText('BREW', '/api/v1/me'),
      requestText('GET', '/api/v1/projects/a b'),
      requestText('POST', '/api/v1/projects', { 'content-length': '2', 'Content-Length': '3' }, '{}'),
      requestText('GET', `/api/v1/projects/${'x'.repeat(20_000)}`),
      me({ 'x-a': 'a\u0000b' }),
      me({ 'x-a': 'x'.repeat(20_000) }),
      me(Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`x-${n}`, '1']))),
      me(authorization()).replace('host: diwan\r\n', ''),
      requestText('GET', '/nowhere').replace('host: diwan\r\n', ''),
    ]) {
      const answer = await sendRaw(app.url, bytes)
      expectRefusal(answer, 422, 'unprocessable_entity')
      expect(answer.headers.get('x-request-id')).toBeTruthy()
    }
  })

  it('an unusual request is served all the same, or not found', async () => {
    const me = (headers: Record<string, string> = {}, path = '/api/v1/me') =>
      requestText('GET', path, { ...authorization(), ...headers })
    const post = (headers: Record<string, string>, body: string) =>
      requestText('POST', '/api/v1/projects', { ...authorization(), ...headers }, body)
    for (const [request, status] of [
      [me().replace('HTTP/1.1', 'HTTP/1.0').replace('host: diwan\r\n', ''), 200],
      [me({}, 'http://elsewhere/api/v1/me'), 200],
      [me({ expect: 'tea' }), 200],
      [me({ upgrade: 'websocket', connection: 'close, upgrade' }), 200],
      [requestText('GET', '/api/v1/me', { ...authorization(), 'content-length': '2' }, '{['), 200],
      [requestText('TRACE', '/api/v1/me', authorization()), 404],
      [requestText('OPTIONS', '*', authorization()), 404],
      [post({ 'transfer-encoding': 'chunked' }, '8\r\n{"name":\r\n4\r\n"x"}\r\n0\r\n\r\n'), 201],
      [post({ 'content-encoding': 'gzip', 'content-length': '2' }, '{}'), 422],
    ] as const) {
      const answer = await sendRaw(app.url, request)
      expect([request, answer.status]).toEqual([request, status])
      expect(answer.headers.get('x-request-id')).toBeTruthy()
    }
  })
})
