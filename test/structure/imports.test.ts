import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The layers of the server that a command uses which works on an installation without its server. */
const INSTALLATION = [
  'config',
  'contract-version',
  'lib',
  'db',
  'domain',
  'adapters',
  'http',
  'admin',
  'descriptions',
  'company-reader',
  'storage',
  'parts',
  'server',
]

/** What each layer may import besides itself. There are no cycles. */
const MAY_IMPORT: Record<string, string[]> = {
  lib: [],
  config: ['lib'],
  queues: ['lib'],
  'contract-version': [],
  db: ['lib', 'queues', 'contract-version'],
  domain: ['lib', 'db'],
  adapters: ['lib', 'queues', 'db', 'domain'],
  jobs: ['lib', 'queues', 'db', 'domain'],
  http: ['lib', 'queues', 'db', 'domain'],
  api: ['lib', 'db', 'domain', 'http'],
  admin: ['lib', 'db', 'domain', 'http', 'api'],
  descriptions: ['contract-version', 'domain', 'http', 'api', 'admin'],
  mcp: ['lib', 'domain', 'http', 'api', 'descriptions'],
  oauth: ['lib', 'db', 'domain', 'http'],
  demo: ['lib', 'db', 'domain', 'api', 'admin'],
  app: [
    'config',
    'contract-version',
    'lib',
    'db',
    'domain',
    'http',
    'api',
    'admin',
    'jobs',
    'descriptions',
    'mcp',
    'oauth',
  ],
  'record-reader': ['db', 'domain', 'http', 'api'],
  'company-reader': ['db', 'domain', 'http', 'api', 'admin', 'record-reader'],
  storage: ['config', 'lib', 'domain', 'adapters'],
  parts: ['config', 'lib', 'db', 'domain', 'adapters', 'app'],
  server: [
    'parts',
    'storage',
    'config',
    'lib',
    'db',
    'domain',
    'adapters',
    'http',
    'jobs',
    'app',
    'record-reader',
    'demo',
  ],
  client: [],
  'cli/frame': [],
  // What talks to a running server does so through the client. Pure functions, the settings, the name of the file that has the
  // operator's token, the rules for days and for metadata, and the form of a webhook's message have their one home in the server.
  'cli/remote': [
    'client',
    'cli/frame',
    'config',
    'lib',
    'src/domain/installation/secrets.ts',
    'src/domain/records/addresses.ts',
    'src/domain/webhooks/message.ts',
    'src/domain/webhooks/signature.ts',
  ],
  'cli/import': [
    'client',
    'cli/frame',
    'cli/remote',
    'lib',
    'src/domain/records/metadata.ts',
    'src/domain/sentences/sentences.ts',
    'src/domain/time/dates.ts',
  ],
  // What works on the installation itself opens its database and its files with the code of the server.
  'cli/local': ['cli/frame', 'cli/remote', ...INSTALLATION],
  'cli/backup': ['cli/frame', 'cli/local', ...INSTALLATION],
  'cli/export': ['cli/frame', 'cli/local', ...INSTALLATION],
  'cli/company-move': ['cli/frame', 'cli/local', ...INSTALLATION],
  'cli/doctor': ['client', 'cli/frame', 'cli/remote', ...INSTALLATION],
  'cli/command-line': [
    'client',
    'contract-version',
    'lib',
    'cli/frame',
    'cli/remote',
    'cli/import',
    'cli/local-commands',
  ],
  'cli/local-commands': [
    'cli/frame',
    'cli/local',
    'cli/backup',
    'cli/export',
    'cli/company-move',
    'cli/doctor',
    ...INSTALLATION,
  ],
  main: ['cli/command-line'],
}

/** Packages that a layer must not import. */
const NEVER_IMPORTS: [layer: string, packages: RegExp][] = [
  ['lib', /^(fastify|pg|@electric-sql|ioredis)/],
  ['db', /^fastify/],
  ['domain', /^(fastify|pg$|@electric-sql|ioredis)/],
  ['api', /^(fastify|pg$)/],
]

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
const isSource = (file: string) => /\.tsx?$/.test(file)
const packages = (file: string) => importsOf(file).filter(name => !name.startsWith('.'))

describe('Imports', () => {
  it('are found at all, and every one of ours is a file', () => {
    expect(ours('main.ts')).toEqual(['cli/src/command-line.ts'])
    expect(ours('cli/src/command-line.ts')).toContain('cli/src/local-commands.ts')
    expect(ours('src/db/postgres.ts')).toContain('src/db/types.ts')
    expect(packages('src/http/server.ts')).toContain('fastify')
    for (const file of files) expect(files).toEqual(expect.arrayContaining(ours(file)))
  })

  it.each(files)('of %s reach only into layers below its own', file => {
    const allowed = MAY_IMPORT[layerOf(file)]
    expect(allowed, `${file} belongs to no known layer`).toBeDefined()
    const isAllowed = (target: string) =>
      [layerOf(file), ...(allowed ?? [])].some(one => one === layerOf(target) || one === target)
    const reached = ours(file).filter(target => !isAllowed(target))
    expect(reached).toEqual([])
  })

  it.each(NEVER_IMPORTS)('of %s never name a package of %s', (layer, forbidden) => {
    const inLayer = files.filter(file => layerOf(file) === layer)
    const strays = inLayer.filter(file => packages(file).some(name => forbidden.test(name)))
    expect(strays).toEqual([])
  })

  it('never go round in a circle', () => {
    const done = new Set<string>()
    const visit = (file: string, trail: string[]): string[] | undefined => {
      if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file]
      if (done.has(file)) return undefined
      for (const target of ours(file).filter(isSource)) {
        const circle = visit(target, [...trail, file])
        if (circle) return circle
      }
      done.add(file)
      return undefined
    }
    for (const file of [...files, ...filesIn('console/src')]) expect(visit(file, [])).toBeUndefined()
  })
})

describe('Traces', () => {
  it('are loaded by the server alone, and only where they are wanted', () => {
    const folder = 'src/adapters/traces/'
    const outside = files.filter(file => !file.startsWith(folder))
    expect(outside.filter(file => ours(file).some(target => target.startsWith(folder)))).toEqual(['src/parts.ts'])
    expect(source('src/parts.ts')).not.toMatch(/^import .*adapters\/traces/m)
  })
})

describe('The tables of the job queue', () => {
  it('are known to its adapter, and to one file with what other statements ask about jobs', () => {
    expect(files.filter(file => source(file).includes('pgboss'))).toEqual([
      'src/adapters/job-queue.ts',
      'src/adapters/job-turns.ts',
      'src/domain/upkeep/stored-jobs.ts',
    ])
  })
})

describe('The environment', () => {
  it('is read by config.ts and by nothing else', () => {
    // A sample for users contains it too, as text.
    const text = (file: string) => source(file).replace('key: process.env.$', '')
    const readers = files.filter(file => /process\s*(\.|\?\.|\[\s*['"])\s*env\b|from 'node:process'/.test(text(file)))
    expect(readers).toEqual(['src/config.ts'])
  })
})
