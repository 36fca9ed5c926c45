import { rmSync } from 'node:fs'
import { afterAll } from 'vitest'

export const USERNAME = 'layla'
export const PASSWORD = 'قهوة & dates:7'

/** An event as the server stores it. */
export interface StoredEvent {
  href: string
  etag: string
  text: string
}

/** A real CalDAV server with one user. It keeps its port and its data while it is down. */
export interface CalDavServer {
  url: string
  up(): Promise<void>
  down(): Promise<void>
  /** From now on only this password is accepted. */
  setPassword(password: string): void
  /** Creates a calendar and returns its address. */
  calendar(name: string): Promise<string>
  /** The events in a calendar, as any other client would see them. */
  events(calendar: string): Promise<StoredEvent[]>
  send(method: string, url: string, init?: { body?: string; headers?: Record<string, string> }): Promise<Response>
  /** Stores an event as a person's calendar program does. */
  write(event: Pick<StoredEvent, 'href'>, text: string): Promise<void>
}

/** What differs from one server program to another. */
export type Running = Pick<CalDavServer, 'url' | 'up' | 'down' | 'setPassword'> & { folder: string }

const started = new Map<CalDavServer, string>()
// Registered when the file is loaded: inside a hook it would be ignored, and the server would outlive the tests.
afterAll(async () => {
  for (const [server, folder] of started) {
    await server.down()
    rmSync(folder, { recursive: true, force: true })
  }
  started.clear()
})

export const basic = (password: string) => `Basic ${Buffer.from(`${USERNAME}:${password}`).toString('base64')}`

export async function useCalDav({ folder, setPassword, ...running }: Running): Promise<CalDavServer> {
  const { url } = running
  let authorization = basic(PASSWORD)

  const send: CalDavServer['send'] = (method, address, { body, headers = {} } = {}) =>
    fetch(address, {
      method,
      // While a test is busy with something else, the server may close a connection that is kept.
      headers: { authorization, connection: 'close', ...headers },
      ...(body !== undefined && { body }),
    })

  const server: CalDavServer = {
    ...running,
    send,
    setPassword(password) {
      authorization = basic(password)
      setPassword(password)
    },
    async calendar(name) {
      const address = `${url}/${USERNAME}/${name}/`
      const { status } = await send('MKCALENDAR', address)
      if (status !== 201) throw new Error(`MKCALENDAR ${address} was answered ${status}`)
      return address
    },
    async events(calendar) {
      const answer = await send('PROPFIND', calendar, { headers: { depth: '1' } })
      const hrefs = [...(await answer.text()).matchAll(/<(?:\w+:)?href>([^<]+\.ics)</g)].map(
        ([, href]) => href as string,
      )
      const found = hrefs.map(async href => {
        const event = await send('GET', new URL(href, url).href)
        // It may have been deleted since it was listed.
        if (event.status !== 200) return []
        return [{ href, etag: event.headers.get('etag') as string, text: await event.text() }]
      })
      return (await Promise.all(found)).flat()
    },
    async write({ href }, text) {
      const headers = { 'content-type': 'text/calendar; charset=utf-8' }
      const { status } = await send('PUT', new URL(href, url).href, { body: text, headers })
      if (![200, 201, 204].includes(status)) throw new Error(`PUT ${href} was answered ${status}`)
    },
  }
  started.set(server, folder)
  await server.up()
  return server
}
