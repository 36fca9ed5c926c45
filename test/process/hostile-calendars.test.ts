import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { ALLOWED, newEvent } from '../support/calendar-people.ts'
import { created } from '../support/diwan.ts'
import { embedded, endAll, type ServerProcess, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const IS_CALENDAR = `<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><response><href>/</href><propstat><prop>
  <resourcetype><collection/><C:calendar/></resourcetype></prop><status>HTTP/1.1 200 OK</status></propstat></response></multistatus>`

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** An answer to a REPORT in which the event that was asked for has a megabyte of lines like this one. */
const eventOf =
  (line: string): Answer =>
  (_, response, body) => {
    const uid = /octet">([^<]+)</.exec(body)?.[1]
    const lines = `UID:${uid}\r\n${line.repeat(950_000 / line.length)}`
    const content = `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n${lines}END:VEVENT\r\nEND:VCALENDAR\r\n`
    const property = `<prop><getetag>"1"</getetag><calendar-data>${content}</calendar-data></prop>`
    response.writeHead(207)
    response.end(`<multistatus><response><href>/1</href><propstat>${property}</propstat></response></multistatus>`)
  }

const HOSTILE: Record<string, Answer> = {
  'never answer': () => {},
  'leave HTTP': request =>
    request.socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  'have events with a megabyte of short lines': eventOf('GEO:1\r\n'),
  'have events with a megabyte of parameters': eventOf(`ATTENDEE${';A=B'.repeat(2_000)}:mailto:a@example.com\r\n`),
}

const servers: { closeAllConnections(): void; close(): unknown }[] = []
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await endAll()
})

/** A calendar that can be connected, and answers everything else as it likes. */
async function startCalendar(answer: Answer) {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.method === 'PROPFIND') return response.writeHead(207).end(IS_CALENDAR)
    asked.push(request.method as string)
    answer(request, response, Buffer.concat(chunks).toString())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked }
}

async function newPerson({ diwan }: ServerProcess, url: string) {
  const company = await diwan.company()
  const person = await diwan.person(company.id)
  await created(person.admin.post('/calendars', { url, username: 'a', password: 'b' }))
  return { api: diwan.api(await diwan.key(company.id, { created_by: person.id })) }
}

describe('Calendar servers that', () => {
  it.each(Object.entries(HOSTILE))(
    '%s delay neither the calendars of another company nor a request',
    async (_, answer) => {
      const server = await serve({ ...embedded(), ...ALLOWED, BURST_PER_MINUTE: '0' })
      const hostile = await startCalendar(answer)
      const good = await startCalendar(({ method }, response) =>
        method === 'REPORT' ? response.writeHead(207).end('<multistatus/>') : response.writeHead(201).end(),
      )
      const attacker = await newPerson(server, hostile.url)
      const other = await newPerson(server, good.url)
      for (let n = 0; n < 8; n++) await newEvent(attacker, { name: `Attack ${n}` })
      await until(async () => hostile.asked.length > 0)
      for (let n = 0; n < 12; n++) await newEvent(other, { name: `Event ${n}` })
      let answered = 0
      await until(async () => {
        answered += (await fetch(`${server.url}/health`)).status === 200 ? 1 : 0
        return good.asked.filter(method => method === 'PUT').length === 12
      })
      expect(answered).toBeGreaterThan(0)
      await server.end('SIGTERM')
    },
  )
})
