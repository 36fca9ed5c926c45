import Type from 'typebox'

export const FORMAT = 'diwan-backup'
export const FORMAT_VERSION = 1

/** The one moment that a backup represents. */
const Point = Type.Object({
  /** A position in the feed: after it, the original lists, in the feed of each company, what the backup does not have. */
  cursor: Type.String(),
  /** In PostgreSQL's notation: which of the transactions running at that moment were visible. */
  snapshot: Type.String(),
})

/** The first entry of a backup. */
export const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  format_version: Type.Literal(FORMAT_VERSION),
  /** The version of the program that took it. */
  version: Type.String(),
  /** The last migration of the database. */
  migration: Type.String(),
  engine: Type.Union([Type.Literal('embedded'), Type.Literal('postgres')]),
  taken_at: Type.String(),
  point: Point,
  /** Recognises a server secret, which cannot be derived from it. */
  server_secret: Type.Object({ salt: Type.String(), fingerprint: Type.String() }),
  tables: Type.Array(
    Type.Object({ name: Type.String(), columns: Type.Array(Type.String()), rows: Type.Integer({ minimum: 0 }) }),
  ),
  files: Type.Object({ count: Type.Integer(), size_bytes: Type.Integer() }),
})
export type Manifest = Type.Static<typeof Manifest>

export const MANIFEST = 'manifest.json'
export const SEQUENCES = 'sequences.json'
export const MISSING = 'missing-files.json'
export const SUMS = 'SHA256SUMS'

/** A table is split into parts, so that none has to be held in memory or written elsewhere first. */
export const partName = (table: string, n: number) => `tables/${table}/${String(n).padStart(6, '0')}.jsonl.gz`
export const fileName = (companyId: number, digest: string) => `files/${companyId}/${digest}`
