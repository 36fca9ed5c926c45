import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { newFolder } from './server-process.ts'

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
