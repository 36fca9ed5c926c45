import type { Readable } from 'node:stream'
import type { Condition } from './condition.ts'

/** One stored content. */
export interface StoredBlob {
  companyId: number
  digest: string
  storedAt: number
}

/** Bytes that a row refers to are missing, or differ from those that were stored. Retrying does not help. */
export class DamagedBlob extends Error {
  constructor(
    readonly damage: 'missing' | 'changed',
    companyId: number,
    digest: string,
  ) {
    super(`The bytes ${digest} of company ${companyId} are ${damage}`)
  }
}

/** The storage does not answer, or refuses. When that may pass, the same call is worth another try. */
export class StorageUnavailable extends Error {
  constructor(
    message: string,
    readonly isPassing = false,
  ) {
    super(message)
  }
}

/** What bytes are removed under: a lock that may be lost, and is not held for long. */
interface Held {
  /** Aborted when the time is up. */
  signal: AbortSignal
  /** Asked right before bytes are removed. Throws when the time is up or the lock is gone: they stay then. */
  confirm(): Promise<unknown>
}

/** Stores the bytes of uploads. They are named by their SHA-256, within the company: the same content is stored once. */
export interface Blobs {
  /** When it resolves, the bytes are on the disk and survive a crash; when it throws, nothing is stored. */
  put(companyId: number, digest: string, bytes: Buffer, signal?: AbortSignal): Promise<void>
  has(companyId: number, digest: string, signal?: AbortSignal): Promise<boolean>
  /** The bytes as they were stored; throws `DamagedBlob` when they are missing or differ. */
  read(companyId: number, digest: string): Promise<Buffer>
  /** Whether the bytes as they were stored are UTF-8. They are read piece by piece. */
  isUtf8(companyId: number, digest: string): Promise<boolean>
  /** The bytes from `start` to `end`, both included. Nothing is sent unless all bytes are as they were stored. */
  stream(companyId: number, digest: string, range: { start: number; end: number }): Promise<Readable>
  /** Where callers can get the bytes for themselves for a few minutes; undefined when they are to be sent. */
  signedAddress(
    companyId: number,
    digest: string,
    headers: { type: string; disposition: string },
  ): Promise<string | undefined>
  /** Removing what does not exist is not an error. False while everything is kept; then the upkeep removes it later. */
  remove(companyId: number, digest: string, held?: Held): Promise<boolean>
  /** Removes everything of a company, unless everything is kept. */
  removeAll(companyId: number): Promise<void>
  /** Once it resolves no process removes anything, until the returned function is called: a backup can copy what it saw. */
  keepEverything(): Promise<() => Promise<void>>
  list(): AsyncIterable<StoredBlob>
  /** Removes partial writes of processes that were killed. */
  removeAbandoned(): Promise<void>
  /** Whether bytes can be stored now, and how much space is left. */
  check(): Promise<Condition>
}
