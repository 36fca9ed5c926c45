import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

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

/** Calendars that can be connected, and what each does with anything else. */
export const HOSTILE: Record<string, Answer> = {
  'never answer': () => {},
  'leave HTTP': request =>
    request.socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  'have events with a megabyte of short lines': eventOf('GEO:1\r\n'),
  'have events with a megabyte of parameters': eventOf(`ATTENDEE${';A=B'.repeat(2_000)}:mailto:a@example.com\r\n`),
}

const servers: { closeAllConnections(): void; close(): unknown }[] = []
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

/** A calendar that can be connected, and answers everything else as it likes. */
export async function startCalendar(answer: Answer) {
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
