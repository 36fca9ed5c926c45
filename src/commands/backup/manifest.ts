import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'

/** What stands first in a backup. */
export interface Manifest {
  format: typeof FORMAT
  format_version: typeof FORMAT_VERSION
  /** Of the program that took it. */
  version: string
  /** The last one that the database had seen. */
  migration: string
  engine: 'embedded' | 'postgres'
  taken_at: string
  point: Point
  /** By which a server secret is recognised and from which it cannot be told. */
  server_secret: { salt: string; fingerprint: string }
  tables: { name: string; columns: string[]; rows: number }[]
  files: { count: number; size_bytes: number }
}

/** The one moment that a backup shows. */
export interface Point {
  /** Of the feed: behind it the original tells, in the feed of each company, what the backup does not have. */
  cursor: string
  /** As PostgreSQL writes it: of transactions that ran at the moment, which were seen. */
  snapshot: string
}

export const FORMAT = 'diwan-backup'
export const FORMAT_VERSION = 1

export const MANIFEST = 'manifest.json'
export const SEQUENCES = 'sequences.json'
export const MISSING = 'missing-files.json'
export const SUMS = 'SHA256SUMS'

/** A table is in several parts, so that none has to be held in memory or written elsewhere first. */
export const partName = (table: string, n: number) => `tables/${table}/${String(n).padStart(6, '0')}.jsonl.gz`
export const fileName = (companyId: number, digest: string) => `files/${companyId}/${digest}`

/** Slow to compute, so that a short secret cannot be found by trying. */
function fingerprint(secret: string, salt: string): Buffer {
  return scryptSync(secret, salt, 32)
}

export function fingerprintOf(secret: string): Manifest['server_secret'] {
  const salt = randomBytes(16).toString('hex')
  return { salt, fingerprint: fingerprint(secret, salt).toString('hex') }
}

export function isFingerprintOf(secret: string, { salt, fingerprint: written }: Manifest['server_secret']): boolean {
  const [own, other] = [fingerprint(secret, salt), Buffer.from(written, 'hex')]
  return own.length === other.length && timingSafeEqual(own, other)
}
