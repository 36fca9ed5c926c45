import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

/** The external programs that tests use, and where each is found. */
const FINDERS = {
  postgres: findPostgres,
  redis: () => onPath('redis-server'),
  pgbouncer: findPgbouncer,
  // The shell is Chromium without a window: it draws the same, and a new page costs it a third.
  chromium: () => onPath('chromium-headless-shell') ?? onPath('chromium'),
  radicale: () => onPath('radicale'),
  xandikos: () => onPath('xandikos'),
  clamd: () => onPath('clamd'),
  poppler: () => onPath('pdftotext'),
  strace: () => onPath('strace'),
  compiler: () => onPath('cc'),
  openssl: () => onPath('openssl'),
  curl: () => onPath('curl'),
  sevenZip: () => onPath('7zz'),
  qpdf: () => onPath('qpdf'),
  haproxy: () => onPath('haproxy'),
  nginx: () => onPath('nginx'),
  compose: () => onPath('docker-compose'),
  promtool: () => onPath('promtool'),
  systemd: () => onPath('systemd-analyze'),
  zsh: () => onPath('zsh'),
  fish: () => onPath('fish'),
  python: () => onPath('python3'),
  hatchling: () => onPath('hatchling'),
  mypy: () => onPath('mypy'),
  swift: () => (existsSync('/usr/lib/python3/dist-packages/swift') ? '/usr/bin/python3' : undefined),
}

export type Part = keyof typeof FINDERS
const NAMES = Object.keys(FINDERS) as Part[]

export const REQUIRE_ALL = process.env.REQUIRE_ALL === '1'

/** Where this machine has the program; undefined if it has none, or if `PARTS` hides it. */
export function findPart(name: Part): string | undefined {
  return isShown(name) ? FINDERS[name]() : undefined
}

/** With REQUIRE_ALL=1 a missing program is an error, unless PARTS hides it. */
export function requireParts(): void {
  const missing = NAMES.filter(name => isShown(name) && FINDERS[name]() === undefined)
  if (REQUIRE_ALL && missing.length > 0) throw new Error(`REQUIRE_ALL=1, but missing: ${missing.join(', ')}`)
}

/** `PARTS=none` hides all programs, and `PARTS=postgres,redis` all others. */
function isShown(name: Part): boolean {
  const { PARTS } = process.env
  if (PARTS === undefined || PARTS === '' || PARTS === 'all') return true
  const shown = PARTS === 'none' ? [] : PARTS.split(',')
  const unknown = shown.filter(part => !NAMES.includes(part as Part))
  if (unknown.length > 0)
    throw new Error(`PARTS names what is none: ${unknown.join(', ')}. There are: ${NAMES.join(', ')}`)
  return shown.includes(name)
}

function onPath(program: string): string | undefined {
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin']
    .map(folder => join(folder, program))
    .find(path => existsSync(path))
}

/** The one that `.ci/pgbouncer` builds comes before that of the machine, which may be too old. */
function findPgbouncer(): string | undefined {
  if (process.env.PGBOUNCER_BIN) return process.env.PGBOUNCER_BIN
  const built = resolve('node_modules/.cache/pgbouncer/pgbouncer')
  return existsSync(built) ? built : onPath('pgbouncer')
}

/** The folder with `initdb` and `postgres`. POSTGRES_BIN comes first, because Debian does not put its own on the PATH. */
function findPostgres(): string | undefined {
  if (process.env.POSTGRES_BIN) return process.env.POSTGRES_BIN
  const root = '/usr/lib/postgresql'
  if (existsSync(root)) {
    const newest = Math.max(
      ...readdirSync(root)
        .map(Number)
        .filter(version => version >= 15),
    )
    const folder = join(root, String(newest), 'bin')
    if (existsSync(join(folder, 'initdb'))) return folder
  }
  const initdb = onPath('initdb')
  return initdb && join(initdb, '..')
}
