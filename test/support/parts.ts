import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

export const REQUIRE_ALL = process.env.REQUIRE_ALL === '1'

/** Returns the external programs that tests use; with REQUIRE_ALL=1 it throws if one is missing. */
export function requireParts() {
  const parts = findParts()
  const missing = missingOf(parts)
  if (REQUIRE_ALL && missing.length > 0) throw new Error(`REQUIRE_ALL=1, but missing: ${missing.join(', ')}`)
  return parts
}

export function missingOf(parts: ReturnType<typeof findParts>): string[] {
  return Object.entries(parts).flatMap(([name, path]) => (path === undefined ? [name] : []))
}

/** The external programs that tests use if the machine has them: where each was found, or undefined. */
export function findParts() {
  return {
    postgres: findPostgres(),
    redis: onPath('redis-server'),
    pgbouncer: findPgbouncer(),
    // The shell is Chromium without a window: it draws the same, and a new page costs it a third.
    chromium: onPath('chromium-headless-shell') ?? onPath('chromium'),
    radicale: onPath('radicale'),
    xandikos: onPath('xandikos'),
    clamd: onPath('clamd'),
    poppler: onPath('pdftotext'),
    strace: onPath('strace'),
    compiler: onPath('cc'),
    sevenZip: onPath('7zz'),
    qpdf: onPath('qpdf'),
    haproxy: onPath('haproxy'),
    nginx: onPath('nginx'),
    compose: onPath('docker-compose'),
    promtool: onPath('promtool'),
    systemd: onPath('systemd-analyze'),
    zsh: onPath('zsh'),
    fish: onPath('fish'),
    hatchling: onPath('hatchling'),
    mypy: onPath('mypy'),
    swift: existsSync('/usr/lib/python3/dist-packages/swift') ? '/usr/bin/python3' : undefined,
  }
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
  const initdb = onPath('initdb')
  if (initdb) return join(initdb, '..')
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  const [newest] = readdirSync(root)
    .map(Number)
    .filter(version => version >= 15)
    .sort((a, b) => b - a)
  const folder = join(root, String(newest), 'bin')
  return existsSync(join(folder, 'initdb')) ? folder : undefined
}
