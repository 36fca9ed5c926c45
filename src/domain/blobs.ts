import type { Readable } from 'node:stream'

/** One stored content, as the orphan sweep meets it. */
export interface StoredBlob {
  companyId: number
  digest: string
  storedAt: number
}

/** Where the bytes of uploads are. They are named by their SHA-256, within the company: the same content is kept once. */
export interface Blobs {
  /** When it resolves the bytes are on the disk, whatever happens to the machine next. */
  put(companyId: number, digest: string, bytes: Buffer): Promise<void>
  has(companyId: number, digest: string): Promise<boolean>
  read(companyId: number, digest: string): Promise<Buffer>
  /** The bytes from `start` to `end`, both included. */
  stream(companyId: number, digest: string, range: { start: number; end: number }): Promise<Readable>
  /** Removing what is not there is no fault. */
  remove(companyId: number, digest: string): Promise<void>
  list(): AsyncIterable<StoredBlob>
}
