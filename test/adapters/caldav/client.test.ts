import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCalDav } from '../../../src/adapters/caldav/client.ts'
import { CalendarError } from '../../../src/domain/ports/calendar-server.ts'

// What a stranger may write as the address of a calendar, and where the requests for it go.

const CREDENTIALS = { company_id: 1, username: 'layla', password: 'secret-of-the-calendar' }
const IS_CALENDAR = `<?xml version="1.0"?><multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><response>
  <href>/</href><propstat><prop><resourcetype><collection/><C:calendar/></resourcetype></prop><status>HTTP/1.1 200 OK</status></propstat>
</response></multistatus>`

const servers: { close(): unknown }[] = []
afterAll(() => {
  for (const server of servers) server.close()
})

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const calendar: Answer = (_request, response) => response.writeHead(207).end(IS_CALENDAR)

async function listen(answer: Answer, host = '127.0.0.1', port = 0) {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.host}`)
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(port, host, resolve))
  servers.push(server)
  return { port: (server.address() as AddressInfo).port, asked }
}

describe('A client that must stay on the public internet', () => {
  /** On every local address: whoever gets here was not stopped. */
  let port = 0
  let reached = 0
  beforeAll(async () => {
    const server = createTcp(socket => {
      reached++
      socket.on('error', () => {}).destroy()
    })
    await new Promise<void>(resolve => server.listen(0, '::', resolve))
    servers.push(server)
    port = (server.address() as AddressInfo).port
  })
  beforeEach(() => {
    reached = 0
  })

  const refused = async (url: string, resolve?: Parameters<typeof createCalDav>[0]['resolve']) => {
    const client = createCalDav({ allowPrivate: false, ...(resolve && { resolve }) })
    const failures = await Promise.all([
      client.check({ url, ...CREDENTIALS }).catch(error => error),
      client.read({ url, ...CREDENTIALS }, 'x', null).catch(error => error),
      client.read({ url, ...CREDENTIALS }, 'x', '/x').catch(error => error),
      client.put({ url, ...CREDENTIALS }, 'x', undefined, 'x').catch(error => error),
      client.remove({ url, ...CREDENTIALS }, { href: '/x', etag: '"x"', content: '' }).catch(error => error),
    ])
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(CalendarError)
      expect(failure.message).not.toContain(CREDENTIALS.password)
    }
    expect(reached).toBe(0)
    return failures[0].message as string
  }

  // Every private network in every spelling is in test/units/address-guard.
  it.each([
    ...[
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '0',
      '127.0.0.1.',
      '１２７.0.0.1',
      '127。0。0。1',
    ],
    ...[
      '127.0.0.%31',
      'localhost',
      'ⓛOCALHOST',
      '[::1]',
      '[::]',
      '[::ffff:7f00:1]',
      '[64:ff9b::127.0.0.1]',
      '[fe80::1]',
    ],
    ...['169.254.169.254', '10.0.0.1', '192.168.1.1', '224.0.0.1'],
  ])('never connects to %s', async host => {
    expect(await refused(`http://${host}:${port}/`)).toBe('url must not lead to a private address')
    expect(await refused(`https://${host}:${port}/calendar`)).toBe('url must not lead to a private address')
  })

  it.each([
    ...['http://localhost.:PORT/', 'http://user:pass@127.0.0.1:PORT/', 'http://example.com:80@127.0.0.1:PORT/'],
    ...[
      'http://127.0.0.1:PORT@example.com/',
      'http://example.com%40@127.0.0.1:PORT/',
      'http://example.com\\@127.0.0.1:PORT/',
    ],
    ...['http:127.0.0.1:PORT/', 'http:\\\\127.0.0.1:PORT\\', ' http://127.0.0.1:PORT/ ', 'ht\ntp://127.0.0.1:PORT/'],
    ...['http://127.0.0.1:PORT/#@example.com/', 'file:///etc/passwd', 'ftp://127.0.0.1:PORT/', 'javascript:0'],
    ...[
      'unix:/var/run/docker.sock',
      'http://[fe80::1%25eth0]:PORT/',
      'http://127.0.0.1:99999/',
      '//127.0.0.1:PORT/',
      '',
    ],
  ])('makes no request for %j', async url => {
    expect(await refused(url.replace('PORT', String(port)))).toMatch(/^url /)
  })

  it('refuses a name if any of its addresses is private, in whatever family or spelling', async () => {
    for (const address of ['127.0.0.1', '10.1.2.3', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', 'fe80::1%lo'])
      for (const order of [0, 1]) {
        const addresses = [
          { address: '8.8.8.8', family: 4 },
          { address, family: address.includes(':') ? 6 : 4 },
        ]
        const resolve = async () => (order === 0 ? addresses : addresses.reverse())
        const url = `http://calendar.example:${port}/`
        expect(await refused(url, resolve)).toBe('url must not lead to a private address')
      }
  })

  it('says so when a name has no address', async () => {
    expect(await refused('http://calendar.example/', async () => [])).toMatch(/^url can't be reached: /)
    const missing = async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    expect(await refused('http://calendar.example/', missing)).toBe("url can't be reached: ENOTFOUND")
  })
})

describe('The connection', () => {
  it('goes to the address that was checked: the name is looked up once, whatever a second look-up would say', async () => {
    const first = await listen(calendar, '127.0.0.1')
    const second = await listen(calendar, '127.0.0.2', first.port)
    let lookups = 0
    const resolve = async () => [{ address: lookups++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
    const client = createCalDav({ allowPrivate: true, resolve })
    const url = `http://calendar.example:${first.port}/`
    expect(await client.check({ url, ...CREDENTIALS })).toBe(url)
    expect([lookups, first.asked, second.asked]).toEqual([1, [`PROPFIND / calendar.example:${first.port}`], []])
  })
})

describe('A redirect', () => {
  const client = createCalDav({ allowPrivate: true })
  const redirect =
    (location: string): Answer =>
    (request, response) =>
      request.url === '/end/'
        ? calendar(request, response)
        : response.writeHead(302, location === '' ? {} : { location }).end()

  it('on the same server is followed once, and what it leads to is the address', async () => {
    const { port, asked } = await listen(redirect('/end/'))
    expect(await client.check({ url: `http://127.0.0.1:${port}/a`, ...CREDENTIALS })).toBe(
      `http://127.0.0.1:${port}/end/`,
    )
    expect(asked.map(line => line.split(' ').slice(0, 2).join(' '))).toEqual(['PROPFIND /a/', 'PROPFIND /end/'])
  })

  it('to another server, port, scheme or name of the same server is an error, and nothing is sent there', async () => {
    const elsewhere = await listen(calendar)
    for (const [location, problem] of [
      [`http://127.0.0.1:${elsewhere.port}/`, /leads to another server/],
      [`//localhost:${elsewhere.port}/`, /leads to another server/],
      [`https://127.0.0.1:${elsewhere.port}/`, /leads to another server/],
      ['file:///etc/passwd', /leads to another server/],
      ['http://169.254.169.254/latest/meta-data/', /leads to another server/],
      ['/again/', /from one address to the next/],
      ['', /does not say where/],
      ['http://', /does not say where/],
    ] as const) {
      const { port, asked } = await listen(redirect(location))
      await expect(client.check({ url: `http://127.0.0.1:${port}/`, ...CREDENTIALS })).rejects.toThrow(problem)
      expect(asked.length).toBeLessThanOrEqual(2)
    }
    expect(elsewhere.asked).toEqual([])
  })

  it('with a name and password in it is not followed', async () => {
    const { port, asked } = await listen((request, response) =>
      response.writeHead(302, { location: `http://user:pass@${request.headers.host}/end/` }).end(),
    )
    await expect(client.check({ url: `http://127.0.0.1:${port}/`, ...CREDENTIALS })).rejects.toThrow(/can't carry/)
    expect(asked).toHaveLength(1)
  })
})

describe('An answer', () => {
  const client = createCalDav({ allowPrivate: true })
  const check = (port: number) => client.check({ url: `http://127.0.0.1:${port}/`, ...CREDENTIALS })

  it('of more than 64 kB is not read to its end when it only describes a calendar', async () => {
    let sentBytes = 0
    const { port } = await listen((_request, response) => {
      const chunk = Buffer.alloc(65_536, ' ')
      const push = () => {
        while (!response.destroyed && sentBytes < 100_000_000 && response.write(chunk)) sentBytes += chunk.length
      }
      response.writeHead(207).on('drain', push)
      push()
    })
    await expect(check(port)).rejects.toThrow('url answers with more than 64 KB')
    expect(sentBytes).toBeLessThan(20_000_000)
  })

  it('that never comes, or never ends, is waited for 15 seconds in all', { tags: 'long' }, async () => {
    const silent = await listen(() => {})
    const trickling = await listen((_request, response) => {
      response.writeHead(207)
      const timer = setInterval(() => response.write(' '), 200)
      response.on('close', () => clearInterval(timer))
    })
    const startedAt = performance.now()
    const failures = await Promise.all([check(silent.port), check(trickling.port)].map(it => it.catch(error => error)))
    expect(performance.now() - startedAt).toBeLessThan(25_000)
    for (const failure of failures) expect(failure.message).toBe("url can't be reached: it did not answer in time")
  })

  it('makes a calendar only of one that takes events, which the person may write', async () => {
    const answeredBy = async (status: number, body: string) => {
      const { port } = await listen((_request, response) => response.writeHead(status).end(body))
      return check(port).then(
        () => 'fine',
        ({ message }) => message,
      )
    }
    const having = (property: string) => answeredBy(207, IS_CALENDAR.replace('</prop>', `${property}</prop>`))
    for (const [status, body] of [
      [207, 'x'.repeat(1000)],
      [207, IS_CALENDAR.replace('<C:calendar/>', '<C:addressbook/>')],
      [207, IS_CALENDAR.replace('200 OK', '404 Not Found')],
      [200, '<html><body>calendar</body></html>'],
      [207, '<!DOCTYPE x [<!ENTITY a "&a;&a;">]><multistatus>&a;</multistatus>'],
      [207, '<a>'.repeat(20_000)],
      [500, ''],
    ] as const)
      expect(await answeredBy(status, body), body.slice(0, 100)).toMatch(/^url is not the address of a calendar/)
    const components = (name: string) =>
      `<C:supported-calendar-component-set><C:comp name="${name}"/></C:supported-calendar-component-set>`
    const privileges = (name: string) =>
      `<current-user-privilege-set><privilege><read/></privilege><privilege><${name}/></privilege></current-user-privilege-set>`
    expect(await having(components('VTODO'))).toBe('url is a calendar that takes no events')
    expect(await having(privileges('read-acl'))).toBe('url is a calendar that this person may only read')
    expect(await having(components('VEVENT') + privileges('write'))).toBe('fine')
  })
})
