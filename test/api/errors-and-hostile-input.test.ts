import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Answer, TestCompany } from '../support/diwan.ts'
import { expectLinear } from '../support/growth.ts'
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

describe('What no endpoint answers is 404 unknown_endpoint with its path, with and without a key:', () => {
  it.each([
    ['GET', '/nothing'],
    ['GET', ''],
    ['PUT', '/projects'],
    ['DELETE', '/projects'],
    ['POST', '/me'],
    ['OPTIONS', '/projects'],
    ['PROPFIND', '/projects'],
    ['QUERY', '/projects'],
    ['PUT', '/projects/x'],
    ['GET', '/projects/x/archive'],
    ['GET', '/task-lists'],
    ['GET', '/projects/x/task-lists'],
    ['POST', '/projects/x/task-lists/y/tasks'],
    ['GET', '/files/fil-0123456789'],
    ['PATCH', '/files/fil-0123456789'],
    ['GET', '/projects/x/y/z'],
    ['GET', '/Projects'],
    ['GET', '/projects/%zz'],
    ['GET', '/projects/%E0%A4%A'],
    ['GET', '/projects/%ED%A0%80'],
    ['GET', '/%D9%85%D8%B4%D8%B1%D9%88%D8%B9'],
  ])('%s /api/v1%s', async (method, path) => {
    for (const api of [company.api, app.diwan.api()]) {
      const answer = await api.send(method, `${path}?secret=1`)
      expectUnknownEndpoint(answer, `/api/v1${path}`)
      expect(answer.headers.get('x-request-id')).toBeTruthy()
    }
  })

  it.each(['/api/v2/projects', '/api', '/nothing', '/admin/v1/nothing', '//api/v1/me'])('GET %s', async path => {
    expectUnknownEndpoint(await app.diwan.client('').get(path), path)
  })
})

describe('Addresses', () => {
  it.each(['/me', '/projects', '/projects/:ref', '/projects/:ref/members'])(
    'HEAD %s answers as GET does, without a body',
    async pattern => {
      const path = pattern.replace(':ref', ref)
      const [got, head] = [await company.api.get(path), await company.api.send('HEAD', path)]
      expect([head.status, head.body]).toEqual([200, ''])
      for (const name of ['content-type', 'content-length', 'x-ratelimit-limit'])
        expect(head.headers.get(name)).toBe(got.headers.get(name))
    },
  )

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

  it.each([
    ['NUL', '%00'],
    ['NUL within', 'a%00b'],
    ['a slash', '%2F'],
    ['dots', '..%2F..%2Fetc%2Fpasswd'],
    ['a space', '%20'],
    ['a percent sign', '%25'],
    ['a quote', "'%20or%201=1--"],
    ['5,000 characters', 'x'.repeat(5_000)],
    ['1,500 Arabic characters', encodeURIComponent('م'.repeat(1_500))],
    ['a noncharacter', '%EF%BF%BF'],
    ['a prototype', '__proto__'],
  ])('a handle that is %s is not found, on reads and writes', async (_, handle) => {
    const at = `/projects/${handle}`
    expectRefusal(await company.api.get(at), 404, 'not_found')
    expectRefusal(await company.api.get(`${at}/members`), 404, 'not_found')
    expectRefusal(await company.api.patch(at, { name: 'X' }), 404, 'not_found')
    expectRefusal(await company.api.delete(at), 404, 'not_found')
  })

  it.each([
    'limit=%00',
    'limit=%zz',
    'limit[]=5',
    'limit[a]=5',
    '__proto__=1',
    '&&&===',
    'offset=%F0',
    `x=${'y'.repeat(5_000)}`,
  ])('a read never fails on its query: %s', async query => {
    const { status, body } = await company.api.get(`/projects?${query}`)
    expect([status, body.meta.limit, body.meta.offset]).toEqual([200, 50, 0])
  })
})

describe('A body that cannot be read is 422:', () => {
  const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map(part => Buffer.from(part as string)))

  it.each<[string, string | Uint8Array, RegExp]>([
    ['malformed JSON', '{"name":', /^body must be valid JSON/],
    ['a trailing comma', '{"name":"x",}', /^body must be valid JSON/],
    ['single quotes', "{'name':'x'}", /^body must be valid JSON/],
    ['two objects', '{"name":"x"}{"name":"y"}', /^body must be valid JSON/],
    ['form fields', 'name=x', /^body must be valid JSON/],
    ['an array', '[{"name":"x"}]', /^body must be a JSON object/],
    ['a string', '"name"', /^body must be a JSON object/],
    ['a number', '1', /^body must be a JSON object/],
    ['null', 'null', /^body must be a JSON object/],
    ['a field twice', '{"name":"a","name":"b"}', /^body .*"name"/],
    ['a field twice, once escaped', '{"name":"a","n\\u0061me":"b"}', /^body .*"name"/],
    ['invalid UTF-8', bytes('{"name":"', [0xff, 0xfe], '"}'), /^body must be valid UTF-8/],
    ['UTF-8 cut short', bytes('{"name":"', [0xd9], '"}'), /^body must be valid UTF-8/],
    ['a surrogate in UTF-8', bytes('{"name":"', [0xed, 0xa0, 0x80], '"}'), /^body must be valid UTF-8/],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le'), /^body must be valid/],
    ['40 MiB', `{"name":"x","padding":"${'x'.repeat(40 * 1024 * 1024)}"}`, /^body is too large/],
    ['1,001 open brackets', '['.repeat(1_001), /^body is nested too deeply/],
    ['100,000 levels of lists', `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /^body is nested too deeply/],
    [
      '100,000 levels of objects',
      `{"name":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
      /^body is nested too deeply/,
    ],
    ['1,000 levels', `{"name":${'['.repeat(999)}${']'.repeat(999)}}`, /^name must be a string/],
  ])('%s', async (_, body, message) => {
    expectUnprocessable(await post(body), message)
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'nonsense',
    ';',
    'application/jsonx',
    'application/json x',
    'application/+json',
    'application/json; charset=utf-16',
    'application/json; version=1; charset=windows-1256',
  ])('the content type %s', async type => {
    expectUnprocessable(await post('{"name":"x"}', { 'content-type': type }), /^body must be JSON/)
  })

  it.each([
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json ; charset=utf-8',
    'application/json ;charset = utf8;',
    'application/json; version=1',
    'application/json; profile="a;b"; charset=utf-8; q=1',
    'application/vnd.api+json',
    'application/vnd.api+json; ext=bulk',
  ])('but not under the content type %s', async type => {
    expect((await post('{"name":"x"}', { 'content-type': type })).status).toBe(201)
  })

  it('but not when the content type is absent', async () => {
    const body = '{"name":"ديوان"}'
    const headers = { ...authorization(), 'content-length': String(Buffer.byteLength(body)) }
    const { status, body: sent } = await sendRaw(app.url, requestText('POST', '/api/v1/projects', headers, body))
    expect([status, sent.data.name]).toEqual([201, 'ديوان'])
  })

  it('an empty body counts as {}, with and without a content type', async () => {
    for (const headers of [{}, JSON_TYPE, { 'content-type': 'text/plain' }]) {
      expectUnprocessable(await company.api.send('POST', '/projects', { headers }), /^name can't be blank$/)
      expectUnprocessable(await post('', headers), /^name can't be blank$/)
      expect((await company.api.send('PATCH', `/projects/${ref}`, { headers })).status).toBe(200)
    }
    expectUnprocessable(await post(' \n'), /^name can't be blank$/)
  })

  it('an action without fields drops and names what is sent, and refuses what cannot be read', async () => {
    const { id } = await app.diwan.project(company)
    const archive = (body: string) => company.api.send('POST', `/projects/${id}/archive`, { body, headers: JSON_TYPE })
    expect((await archive('')).status).toBe(200)
    const dropped = await archive('{"archived":false}')
    expect([dropped.status, dropped.headers.get('x-ignored-fields')]).toEqual([200, 'archived'])
    for (const body of ['{', '[1]']) expectUnprocessable(await archive(body), /^body must be/)
  })
})

describe('Text that cannot be given back as it is, is 422:', () => {
  const codes = [0x00, 0x01, 0x08, 0x0b, 0x0c, 0x0e, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9f, 0xd800, 0xdbff, 0xdc00, 0xdfff]
  it.each(codes.map(code => `\\u${code.toString(16).padStart(4, '0')}`))('%s', async code => {
    for (const text of [code, `a${code}b`, `${code}\\ud83d`]) {
      expectUnprocessable(await post(`{"name":"${text}"}`), /^name /)
      expectUnprocessable(await post(`{"name":"x","description":"${text}"}`), /^description /)
      const headers = JSON_TYPE
      const body = `{"description":"${text}"}`
      expectUnprocessable(await company.api.send('PATCH', `/projects/${ref}`, { body, headers }), /^description /)
    }
  })
})

describe('Fields that are not ours', () => {
  const ignored = (answer: Answer) => answer.headers.get('x-ignored-fields')?.split(', ').map(decodeURIComponent)

  it.each<[string, string[]]>([
    ['{"name":"x","titel":1}', ['titel']],
    ['{"name":"x","titel":1,"Name":2,"id":"prj-0123456789"}', ['titel', 'Name', 'id']],
    ['{"name":"x","العنوان":1,"a, b":2,"🚀":3,"":4}', ['العنوان', 'a, b', '🚀', '']],
    [
      '{"name":"x","__proto__":{"is_public":false},"constructor":1,"toString":2}',
      ['__proto__', 'constructor', 'toString'],
    ],
    ['{"name":"x","a\\u0000\\r\\nSet-Cookie: b":1}', ['a\u0000\r\nSet-Cookie: b']],
    ['{"name":"x","\\ud800":"\\ud800"}', ['\ufffd']],
  ])('are dropped and named by X-Ignored-Fields: %s', async (body, names) => {
    const answer = await post(body)
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({ name: 'x', is_public: true })
    expect(answer.body.data.id).not.toBe('prj-0123456789')
    expect(ignored(answer)).toEqual(names)
  })

  it('are named on a PATCH, and on the 422 that a misspelled field leads to', async () => {
    expect(ignored(await company.api.patch(`/projects/${ref}`, { nmae: 'x' }))).toEqual(['nmae'])
    const answer = await post('{"nmae":"x"}')
    expectUnprocessable(answer, /^name can't be blank$/)
    expect(ignored(answer)).toEqual(['nmae'])
  })

  it('leave no header when there are none', async () => {
    expect((await post('{"name":"x"}')).headers.has('x-ignored-fields')).toBe(false)
  })

  it.each([
    ['10,000 of them', JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`f${n}`, n])))],
    [
      'long names that end within a surrogate pair',
      JSON.stringify({ [`${'a'.repeat(99)}🚀`]: 1, ['🚀'.repeat(3_000)]: 2 }),
    ],
    [
      '100 long Arabic names',
      JSON.stringify(Object.fromEntries(Array.from({ length: 100 }, (_, n) => ['م'.repeat(900) + n, n]))),
    ],
    ['an 800,000-character value', JSON.stringify({ x: 'é"\\'.repeat(150_000) })],
    ['1,000 levels', `{"x":${'['.repeat(999)}${']'.repeat(999)}}`],
  ])('never fail a call: %s', async (_, fields) => {
    const answer = await post(`{"name":"x",${fields.slice(1)}`)
    expect(answer.status).toBe(201)
    expect(answer.headers.get('x-ignored-fields')).toBeTruthy()
  })

  it('a wrapped body is said to look wrapped, and only such a one', async () => {
    expectUnprocessable(await post('{"project":{"name":"x"}}'), /^name can't be blank.*looks wrapped.*"project"/)
    for (const body of ['{"project":"x"}', '{"project":[1]}', '{"a":{"name":"x"},"b":{}}', '{}'])
      expectUnprocessable(await post(body), /^name can't be blank$/)
    expect((await company.api.patch(`/projects/${ref}`, { project: { name: 'Wrapped' } })).body.data.name).not.toBe(
      'Wrapped',
    )
  })
})

describe('A filter that cannot be read is not dropped:', () => {
  it.each(['%00', '2027-01-01%00', '%01', '%7F', '2027-01-01%C2%85', '&from=%1b', '%00&from=2027-01-01'])(
    'events from=%s is 422',
    async from => {
      expectUnprocessable(await company.api.get(`/events?from=${from}`), /^from must not contain control characters/)
      expectUnprocessable(
        await company.api.get(`/events?to=${from.replaceAll('from', 'to')}`),
        /^to must not contain control characters/,
      )
    },
  )
})

describe('Hostile text takes no more than linear time:', () => {
  const upload = (content_base64: string) =>
    company.api.post(`/projects/${ref}/files`, { name: 'x.bin', content_base64 })

  it('content_base64 of padding', async () => {
    await expectLinear(async size => {
      expectUnprocessable(await upload(`${'='.repeat(size)}A`), /^content_base64 must be standard base64/)
    })
    expectUnprocessable(await upload(`${'='.repeat(20_000_000)}A`), /^content_base64 is too large/)
  })

  it('an e-mail address of dots', async () => {
    await expectLinear(
      async size => {
        const person = { name: 'Layla', email: `a@${'.'.repeat(size)} ` }
        expectUnprocessable(await company.admin.post('/users', person), /^email is too long: at most 254 characters/)
      },
      [2_000, 16_000, 128_000, 1_000_000],
    )
  })

  it('a content type of spaces', async () => {
    await expectLinear(
      async size => {
        const type = `application/json${' '.repeat(size)}x`
        expectUnprocessable(await post('{"name":"x"}', { 'content-type': type }), /^body must be JSON/)
      },
      [1_900, 15_200],
    )
  })
})

describe('X-Request-Id', () => {
  it.each(['abc-123', '0f4c3f0e-5a0e-4f51-9c7e-3d2a5f0f8a11', 'A.b:c_d'])('%s is kept', async id => {
    for (const path of ['/me', '/nothing', '/projects/missing', '/projects/%zz'])
      expect((await company.api.get(path, { 'x-request-id': id })).headers.get('x-request-id')).toBe(id)
  })

  it.each(['', 'two words', 'a\tb', '<script>', 'é', 'x'.repeat(1_000)])('%j is replaced by one of ours', async id => {
    const answer = await app.diwan.api().get('/me', { 'x-request-id': id })
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('On the wire', () => {
  it.each<[string, (url: string) => string | Uint8Array]>([
    ['garbage', () => 'garbage\r\n\r\n'],
    ['bytes of TLS', () => Buffer.from('16030100a5010000a10303', 'hex')],
    ['HTTP/2 without asking', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', () => requestText('BREW', '/api/v1/me')],
    ['a space in the address', () => requestText('GET', '/api/v1/projects/a b')],
    ['a NUL in a header', () => requestText('GET', '/api/v1/me', { 'x-a': 'a\u0000b' })],
    [
      'two lengths',
      () => requestText('POST', '/api/v1/projects', { 'content-length': '2', 'Content-Length': '3' }, '{}'),
    ],
    ['a length that is no number', () => requestText('POST', '/api/v1/projects', { 'content-length': 'x' })],
    ['20,000 characters of headers', () => requestText('GET', '/api/v1/me', { 'x-a': 'x'.repeat(20_000) })],
    ['an address of 20,000 characters', () => requestText('GET', `/api/v1/projects/${'x'.repeat(20_000)}`)],
    [
      '3,000 headers',
      () =>
        requestText('GET', '/api/v1/me', Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`x-${n}`, '1']))),
    ],
  ])('%s is answered in our envelope, as 422', async (_, bytes) => {
    const answer = await sendRaw(app.url, bytes(app.url))
    expectRefusal(answer, 422, 'unprocessable_entity')
    expect(answer.headers.get('x-request-id')).toBeTruthy()
  })

  it.each<[string, () => string, number]>([
    ['no Host', () => requestText('GET', '/api/v1/me', authorization()).replace('host: diwan\r\n', ''), 422],
    ['no Host for nobody', () => requestText('GET', '/nowhere').replace('host: diwan\r\n', ''), 422],
    ['two Hosts', () => requestText('GET', '/api/v1/me', { ...authorization(), Host: 'elsewhere' }), 422],
    [
      'HTTP/1.0 without Host',
      () =>
        requestText('GET', '/api/v1/me', authorization())
          .replace('HTTP/1.1', 'HTTP/1.0')
          .replace('host: diwan\r\n', ''),
      200,
    ],
    ['an address in absolute form', () => requestText('GET', 'http://elsewhere/api/v1/me', authorization()), 200],
    ['an expectation nobody knows', () => requestText('GET', '/api/v1/me', { ...authorization(), expect: 'tea' }), 200],
    [
      'a wish to upgrade',
      () =>
        requestText('GET', '/api/v1/me', { ...authorization(), upgrade: 'websocket', connection: 'close, upgrade' }),
      200,
    ],
    ['TRACE', () => requestText('TRACE', '/api/v1/me', authorization()), 404],
    ['an asterisk', () => requestText('OPTIONS', '*', authorization()), 404],
    ['a body on GET', () => requestText('GET', '/api/v1/me', { ...authorization(), 'content-length': '2' }, '{['), 200],
    [
      'a body in chunks',
      () =>
        requestText(
          'POST',
          '/api/v1/projects',
          { ...authorization(), 'transfer-encoding': 'chunked' },
          '8\r\n{"name":\r\n4\r\n"x"}\r\n0\r\n\r\n',
        ),
      201,
    ],
    [
      'a compressed body',
      () =>
        requestText(
          'POST',
          '/api/v1/projects',
          { ...authorization(), 'content-encoding': 'gzip', 'content-length': '2' },
          '{}',
        ),
      422,
    ],
  ])('%s is no fault of ours', async (_, request, status) => {
    const answer = await sendRaw(app.url, request())
    expect(answer.status).toBe(status)
    expect(answer.headers.get('x-request-id')).toBeTruthy()
  })
})
