import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { freePort, until } from './servers.ts'

export const USERNAME = 'layla'
export const PASSWORD = 'قهوة & dates:7'

/** An event as it lies on the server: the properties of its VEVENT as they were written, and the whole text. */
export interface StoredEvent {
  href: string
  text: string
}

/** A real CalDAV server with one user. It keeps its port and its data while it is down. */
export interface Radicale {
  url: string
  up(): Promise<void>
  down(): Promise<void>
  /** Makes a calendar and gives its address. */
  calendar(name: string): Promise<string>
  /** What is in a calendar, as any other client would be told. */
  events(calendar: string): Promise<StoredEvent[]>
  send(method: string, url: string, init?: { body?: string; headers?: Record<string, string> }): Promise<Response>
}

const started = new Map<Radicale, string>()
// Registered where the file is loaded: within a hook it would not be heeded, and the server would outlive the tests.
afterAll(async () => {
  for (const [radicale, folder] of started) {
    await radicale.down()
    rmSync(folder, { recursive: true, force: true })
  }
})

export async function startRadicale(program: string): Promise<Radicale> {
  const folder = mkdtempSync(join(tmpdir(), 'diwan-radicale-'))
  const users = join(folder, 'users')
  writeFileSync(users, `${USERNAME}:${PASSWORD}\n`)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const args = [
    '--config=',
    `--server-hosts=127.0.0.1:${port}`,
    `--storage-filesystem-folder=${join(folder, 'data')}`,
    '--auth-type=htpasswd',
    `--auth-htpasswd-filename=${users}`,
    '--auth-htpasswd-encryption=plain',
    '--auth-delay=0',
  ]
  let child: ChildProcess | undefined

  const send: Radicale['send'] = (method, address, { body, headers = {} } = {}) =>
    fetch(address, {
      method,
      headers: { authorization: `Basic ${Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64')}`, ...headers },
      ...(body !== undefined && { body }),
    })

  const radicale: Radicale = {
    url,
    send,
    async up() {
      if (child) return
      child = spawn(program, args, { stdio: 'ignore' })
      await until(async () => (await fetch(`${url}/.web/`).catch(() => undefined)) !== undefined)
    },
    async down() {
      const running = child
      child = undefined
      if (!running || running.exitCode !== null) return
      const exited = new Promise(resolve => running.once('exit', resolve))
      running.kill('SIGKILL')
      await exited
    },
    async calendar(name) {
      const address = `${url}/${USERNAME}/${name}/`
      const { status } = await send('MKCALENDAR', address)
      if (status !== 201) throw new Error(`MKCALENDAR ${address} was answered ${status}`)
      return address
    },
    async events(calendar) {
      const answer = await send('PROPFIND', calendar, { headers: { depth: '1' } })
      const hrefs = [...(await answer.text()).matchAll(/<href>([^<]+\.ics)<\/href>/g)].map(([, href]) => href as string)
      const found = hrefs.map(async href => {
        const event = await send('GET', new URL(href, url).href)
        // It may have gone since it was listed.
        return event.status === 200 ? [{ href, text: await event.text() }] : []
      })
      return (await Promise.all(found)).flat()
    },
  }
  started.set(radicale, folder)
  await radicale.up()
  return radicale
}
