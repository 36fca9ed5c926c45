import type { Readable } from 'node:stream'
import type { Condition } from './condition.ts'

/** One stored content, as the orphan sweep meets it. */
interface StoredBlob {
  companyId: number
  digest: string
  storedAt: number
}

/** Bytes that a row names and that are not there, or not those that were stored. Trying again does not help. */
export class DamagedBlob extends Error {
  constructor(
    readonly damage: 'missing' | 'changed',
    companyId: number,
    digest: string,
  ) {
    super(`The bytes ${digest} of company ${companyId} are ${damage}`)
  }
}

/** Where the bytes of uploads are. They are named by their SHA-256, within the company: the same content is kept once. */
export interface Blobs {
  /** When it resolves the bytes are on the disk, whatever happens to the machine next; when it throws, nothing is. */
  put(companyId: number, digest: string, bytes: Buffer): Promise<void>
  has(companyId: number, digest: string): Promise<boolean>
  /** The bytes as they were stored; throws `DamagedBlob` when they are not. */
  read(companyId: number, digest: string): Promise<Buffer>
  /** The bytes from `start` to `end`, both included. Nothing is sent unless all of them are as they were stored. */
  stream(companyId: number, digest: string, range: { start: number; end: number }): Promise<Readable>
  /** Removing what is not there is no fault. False while everything is kept; the sweep removes it later. */
  remove(companyId: number, digest: string): Promise<boolean>
  /** Removes everything of a company, unless everything is kept. */
  removeAll(companyId: number): Promise<void>
  /** From when it resolves until what it gave is called, no process removes anything: a backup copies what it has seen. */
  keepEverything(): Promise<() => Promise<void>>
  list(): AsyncIterable<StoredBlob>
  /** Removes what processes that were killed had begun to write. */
  removeAbandoned(): Promise<void>
  /** Whether bytes can be stored now, and how much room there is. */
  check(): Promise<Condition>
}
