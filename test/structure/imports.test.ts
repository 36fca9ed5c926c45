import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'

/** The layers of the server that a command uses which works on an installation without its server. */
const INSTALLATION =
  'config contract-version lib db domain adapters http admin descriptions company-reader storage parts server'

/** The layers that each layer may import. biome.json says which packages it may not. */
const MAY_IMPORT: Record<string, string> = {
  lib: '',
  config: 'lib',
  queues: 'lib',
  'contract-version': '',
  db: 'lib queues contract-version',
  domain: 'lib db',
  adapters: 'lib queues db domain',
  jobs: 'lib queues db domain',
  http: 'lib queues db domain',
  api: 'lib db domain http',
  admin: 'lib db domain http api',
  descriptions: 'contract-version domain http api admin',
  mcp: 'lib domain http api descriptions',
  oauth: 'lib db domain http',
  demo: 'lib db domain api admin',
  app: 'config contract-version lib db domain http api admin jobs descriptions mcp oauth',
  'record-reader': 'db domain http api',
  'company-reader': 'db domain http api admin record-reader',
  storage: 'config lib domain adapters',
  parts: 'config lib db domain adapters app',
  server: 'parts storage config lib db domain adapters http jobs app record-reader demo',
  client: '',
  'cli/frame': '',
  // What talks to a running server does so through the client. Pure functions, the settings, the name of the file that has the
  // operator's token, the rules for days and for metadata, and the form of a webhook's message have their one home in the server.
  'cli/remote': `client cli/frame config lib src/domain/installation/secrets.ts src/domain/records/addresses.ts
    src/domain/webhooks/message.ts src/domain/webhooks/signature.ts`,
  'cli/import': `client cli/frame cli/remote lib src/domain/records/metadata.ts src/domain/sentences/sentences.ts
    src/domain/time/dates.ts`,
  // What works on the installation itself opens its database and its files with the code of the server.
  'cli/local': `cli/frame cli/remote ${INSTALLATION}`,
  'cli/backup': `cli/frame cli/local ${INSTALLATION}`,
  'cli/export': `cli/frame cli/local ${INSTALLATION}`,
  'cli/company-move': `cli/frame cli/local ${INSTALLATION}`,
  'cli/doctor': `client cli/frame cli/remote ${INSTALLATION}`,
  'cli/command-line': 'client contract-version lib cli/frame cli/remote cli/import cli/local-commands',
  'cli/local-commands': `cli/frame cli/local cli/backup cli/export cli/company-move cli/doctor ${INSTALLATION}`,
  main: 'cli/command-line',
}

const root = join(import.meta.dirname, '../..')
const files = [...['src', 'cli/src', 'client/src'].flatMap(filesIn), 'main.ts']
const source = (file: string) => readFileSync(join(root, file), 'utf8')

function filesIn(folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names.filter(name => /\.tsx?$/.test(name)).map(name => join(folder, name))
}

/** The folder of a file, or the name of a file at the top level. */
function layerOf(file: string): string {
  const [, room = ''] = file.match(/^(?:src|cli\/src)\/([^/.]+)/) ?? []
  if (file.startsWith('client/')) return 'client'
  if (file.startsWith('cli/')) return `cli/${room}`
  return room || file.replace(/\.ts$/, '')
}

/** The modules named in the `from '…'` of imports and exports, in a bare `import '…'` and in `import('…')`. */
function importsOf(file: string): string[] {
  const statements = source(file).matchAll(
    /^(?:import|export)\b[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm,
  )
  return [...statements].map(([, from, bare, dynamic]) => (from ?? bare ?? dynamic) as string)
}

const ours = (file: string) =>
  importsOf(file)
    .filter(name => name.startsWith('.'))
    .map(name => relative(root, join(root, dirname(file), name)))

it('Imports are found at all, and every one of ours is a file', () => {
  expect(ours('main.ts')).toEqual(['cli/src/command-line.ts'])
  expect(ours('cli/src/command-line.ts')).toContain('cli/src/local-commands.ts')
  expect(ours('src/db/postgres.ts')).toContain('src/db/types.ts')
  expect(files.flatMap(ours).filter(file => !files.includes(file))).toEqual([])
})

it('A file imports only from layers below its own', () => {
  expect(files.filter(file => MAY_IMPORT[layerOf(file)] === undefined)).toEqual([])
  const strays = files.flatMap(file => {
    const allowed = [layerOf(file), ...(MAY_IMPORT[layerOf(file)] ?? '').split(/\s+/)]
    return ours(file)
      .filter(target => !allowed.includes(layerOf(target)) && !allowed.includes(target))
      .map(target => `${file}: ${target}`)
  })
  expect(strays).toEqual([])
})

it('Imports never go round in a circle', () => {
  const done = new Set<string>()
  const visit = (file: string, trail: string[]): string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const target of ours(file).filter(name => /\.tsx?$/.test(name))) {
      const circle = visit(target, [...trail, file])
      if (circle) return circle
    }
    done.add(file)
    return undefined
  }
  for (const file of [...files, ...filesIn('console/src')]) expect(visit(file, [])).toBeUndefined()
})

it('The tables of the job queue are known to its adapter, and to one file with what others ask about jobs', () => {
  expect(files.filter(file => source(file).includes('pgboss'))).toEqual([
    'src/adapters/job-queue.ts',
    'src/adapters/job-turns.ts',
    'src/domain/upkeep/stored-jobs.ts',
  ])
})
