// @module-tag long

import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCalDav } from '../../src/adapters/caldav/client.ts'
import { createLocalNames } from '../../src/adapters/local-names.ts'
import { createNameResolver } from '../../src/adapters/name-resolver.ts'
import { createWebhookSender } from '../../src/adapters/webhook-sender.ts'
import { CalendarError } from '../../src/domain/ports/calendar-server.ts'
import { MISDEEDS, startDeafHost, startHostileHost, TLS_MISDEEDS } from '../support/hostile-host.ts'
import { startNameServer } from '../support/name-server.ts'

const MESSAGE = { company_id: 1, headers: {}, body: '{}' }
const CREDENTIALS = { company_id: 1, username: 'layla', password: 'secret' }
const sender = createWebhookSender({ allowPrivate: true })
const calendars = createCalDav({ allowPrivate: true })

describe.concurrent('A request ends within its deadline, whatever the host does', { timeout: 120_000 }, () => {
  it.each(Object.entries(MISDEEDS))('when it %s', async (name, misdeed) => {
    const port = await startHostileHost(misdeed)
    const url = `http://127.0.0.1:${port}/`
    const [attempt, failure, check] = await Promise.all([
      sender.send({ url, ...MESSAGE }),
      calendars.read({ url, ...CREDENTIALS }, 'x', '/x').catch(error => error),
      calendars.check({ url, ...CREDENTIALS }).catch(error => error),
    ])
    // A webhook needs no more of an answer than its first kilobyte.
    if (!/body|chunks|trailers/.test(name)) expect(attempt).toMatchObject({ status: null, error: expect.any(String) })
    expect(failure).toBeInstanceOf(CalendarError)
    expect(check).toBeInstanceOf(CalendarError)
  })

  it.each(Object.entries(TLS_MISDEEDS))('when it accepts a connection and %s', async (_, misdeed) => {
    const port = await startHostileHost(misdeed)
    const url = `https://127.0.0.1:${port}/`
    expect(await sender.send({ url, ...MESSAGE })).toMatchObject({ status: null, error: 'time_out' })
  })

  it('when nobody accepts the connection', async () => {
    const url = `http://127.0.0.1:${await startDeafHost()}/`
    expect(await sender.send({ url, ...MESSAGE })).toMatchObject({ status: null, error: 'time_out' })
  })

  it('and has a name for a host that leaves HTTP, or only announces', async () => {
    const errorOf = async (misdeed: string) => {
      const port = await startHostileHost(MISDEEDS[misdeed] as (typeof MISDEEDS)[string])
      return (await sender.send({ url: `http://127.0.0.1:${port}/`, ...MESSAGE })).error
    }
    expect(await errorOf('leaves HTTP')).toBe('other_protocol')
    expect(await errorOf('announces an answer for ever')).toBe('not_http')
    expect(await errorOf('closes its half')).toBe('connection_closed')
  })
})

describe('A name', () => {
  const file = async (name: string, text: string) => {
    const path = join(tmpdir(), `${name}-${process.pid}-${Math.random()}`)
    await writeFile(path, text)
    return path
  }

  it('for which no name server answers is given up before the attempt is, by its own name, and delays no other company', async () => {
    const silent = await startNameServer()
    const resolve = createNameResolver(silent)
    const slow = createWebhookSender({ allowPrivate: true, resolve })
    const names = Array.from({ length: 200 }, (_, n) => `dead-${n}.example`)
    const ofOne = names.map(name => slow.send({ ...MESSAGE, url: `http://${name}/` }))
    const ofAnother = slow.send({ ...MESSAGE, company_id: 2, url: 'http://other.example/' })
    expect(await ofAnother).toMatchObject({ error: 'dns' })
    const asked = new Set(silent.questions.map(question => question.split(' ')[0]))
    expect(asked).toContain('other.example')
    // Four at a time, for five seconds each.
    expect(asked.size).toBeLessThan(20)
    const errors = new Set((await Promise.all(ofOne)).map(({ error }) => error))
    expect([...errors].sort()).toEqual(['dns', 'time_out'])
  })

  it('is asked for once in a while, for addresses of both families', async () => {
    const known = await startNameServer(() => [10, 1, 2, 3])
    const resolve = createNameResolver(known)
    for (let n = 0; n < 5; n++) expect(await resolve('hooks.example', 1)).toEqual([{ address: '10.1.2.3', family: 4 }])
    expect(known.questions.sort()).toEqual(['hooks.example A', 'hooks.example AAAA'])
  })

  it('in the hosts file has the addresses that are there, also after the file has changed', async () => {
    const silent = await startNameServer()
    const hosts = await file(
      'hosts',
      '# ours\n10.0.0.7 Receiver receiver.internal # the receiver\n::7 receiver\nnonsense x\n',
    )
    const localNames = createLocalNames(hosts, '/nowhere')
    const resolve = createNameResolver({ ...silent, localNames })
    expect(await resolve('receiver', 1)).toEqual([
      { address: '10.0.0.7', family: 4 },
      { address: '::7', family: 6 },
    ])
    expect(await resolve('localhost', 1)).toContainEqual({ address: '127.0.0.1', family: 4 })
    await writeFile(hosts, '10.0.0.8 other\n')
    expect(await localNames.addressesOf('other')).toEqual([{ address: '10.0.0.8', family: 4 }])
    expect(await localNames.addressesOf('receiver')).toBeUndefined()
    expect(silent.questions).toEqual([])
  })

  it('that is short is looked for in the domains of this machine first', async () => {
    const resolver = await file('resolv', 'nameserver 127.0.0.1\nsearch a.example b.example\noptions ndots:2 rotate\n')
    const { spellingsOf } = createLocalNames('/nowhere', resolver)
    expect(await spellingsOf('receiver')).toEqual(['receiver.a.example', 'receiver.b.example', 'receiver'])
    expect(await spellingsOf('hooks.example.com')).toEqual(['hooks.example.com'])
    expect(await spellingsOf('receiver.')).toEqual(['receiver.'])
  })
})

it('A large event is found in a large answer, and merged like a small one', async () => {
  const event = (lines: string) =>
    `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n${lines}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
  for (const size of [10, 500_000]) {
    const content = event(`X-A:${'x'.repeat(size)}\r\nCATEGORIES:mine\r\nLOCATION:There`)
    const access = { ...CREDENTIALS, url: 'http://127.0.0.1/' }
    const ours = event('LOCATION:Here\r\nORGANIZER:mailto:a@b.c')
    const merged = await calendars.merge(access, { href: '/1', etag: '"1"', content }, ours, new Map())
    expect(merged).toContain('CATEGORIES:mine')
    expect([merged.includes('LOCATION:Here'), merged.includes('LOCATION:There')]).toEqual([true, false])
  }
  const filler = '<response><href>/a</href></response>'.repeat(15_000)
  const answer = `<multistatus>${filler}<response><href>/1</href><propstat><prop><getetag>"1"</getetag><calendar-data>${event('')}</calendar-data></prop><status>HTTP/1.1 200 OK</status></propstat></response></multistatus>`
  const server = createServer((_request, response) => response.writeHead(207).end(answer)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  expect(await calendars.read({ ...CREDENTIALS, url }, '1', null)).toMatchObject({ href: '/1', etag: '"1"' })
  server.close()
})
