import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { newFolder } from './server-process.ts'
import { freePort } from './servers.ts'

/** The failed checks by scenario; a scenario without failures has an empty list. */
export type Outcome = Record<string, string[]>

/** Runs everything that the protocol's official suite requires of a server that supports this revision. */
export async function runConformance(server: string, key: string, revision: string): Promise<Outcome> {
  const door = await openDoor(server, key)
  const results = newFolder()
  const args = ['server', '--url', `${door.url}/mcp`, '--requirements', revision, '--output-dir', results]
  try {
    // It exits with 1 when any check failed; the results say which.
    await new Promise<void>((resolve, reject) =>
      execFile(process.execPath, ['--import', WITH_GLOB, SUITE, ...args], { timeout: 150_000 }, (error, _, stderr) =>
        error && error.code !== 1 ? reject(new Error(stderr)) : resolve(),
      ),
    )
  } finally {
    door.close()
  }
  return Object.fromEntries(readdirSync(results).map(folder => [scenarioOf(folder), failuresIn(join(results, folder))]))
}

/**
 * Runs what the suite requires of a server that grants access. It is registered as this client, which may return to the loopback;
 * `decide` is given the URL that a browser would open, and returns where the browser is sent in the end.
 */
export async function runAuthorizationConformance(
  server: string,
  clientId: string,
  decide: (url: string) => Promise<string>,
): Promise<Outcome> {
  const results = newFolder()
  const port = await freePort()
  const options = {
    url: server,
    'client-id': clientId,
    resource: `${server}/mcp`,
    port: String(port),
    'output-dir': results,
  }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const suite = spawn(process.execPath, ['--import', WITH_GLOB, SUITE, 'authorization', ...args], { timeout: 150_000 })
  let told = ''
  let isDecided = false
  suite.stdout.setEncoding('utf8').on('data', async text => {
    told += text
    const url = told.match(/^http\S+\/oauth\/authorize\?\S+$/m)?.[0]
    if (!url || isDecided) return
    isDecided = true
    await fetch(await decide(url))
  })
  await once(suite, 'close')
  return Object.fromEntries(
    readdirSync(results).map(folder => [
      folder.replace(/-\d{4}-\d\d-\d\dT.*$/, '').replace(/^authorization-server-(?=authorization-)/, ''),
      failuresIn(join(results, folder)),
    ]),
  )
}

const SUITE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')

/** For commands that we do not use, the suite imports a function that `fs` of Node 20 does not have. */
const HOOKS = `
const fs = 'data:text/javascript,' + encodeURIComponent("export * from 'node:fs'; export const globSync = undefined")
export function resolve(name, context, next) {
  return name === 'fs' && context.parentURL === ${JSON.stringify(pathToFileURL(SUITE).href)} ? { url: fs, shortCircuit: true } : next(name, context)
}`
const asModule = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`
const WITH_GLOB = asModule(`import { register } from 'node:module'\nregister(${JSON.stringify(asModule(HOOKS))})`)

/** `server-tools-list-2026-11-15T21-02-23-804Z` */
function scenarioOf(folder: string): string {
  return folder.slice('server-'.length, -'-2026-11-15T21-02-23-804Z'.length)
}

function failuresIn(folder: string): string[] {
  const checks: { id: string; status: string }[] = JSON.parse(readFileSync(join(folder, 'checks.json'), 'utf8'))
  return [...new Set(checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id))].sort()
}

/** A proxy that adds a key to every request, because the suite sends none. */
async function openDoor(server: string, key: string): Promise<{ url: string; close(): void }> {
  const door = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${key}` }
    const passedOn = request(new URL(asked.url ?? '/', server), { method: asked.method, headers }, response => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    passedOn.on('error', () => answer.destroy())
    asked.pipe(passedOn)
  })
  await new Promise<void>(resolve => door.listen(0, '127.0.0.1', resolve))
  const { port } = door.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => door.close().closeAllConnections() }
}
