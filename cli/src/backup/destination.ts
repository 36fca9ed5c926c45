import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { flush } from '../../../src/lib/flush.ts'
import { Failure, UsageError } from '../frame/command.ts'
import type { Write } from './archive.ts'

/** Where a backup is written to. */
export interface Destination {
  write: Write
  /** From then on, the backup exists. */
  finish(): Promise<void>
  /** Leaves nothing behind. */
  abandon(): Promise<void>
}

export const STANDARD_OUTPUT = '-'

export function openDestination(path: string): Promise<Destination> {
  return path === STANDARD_OUTPUT ? openStandardOutput() : openFile(resolve(path))
}

/** Written under another name until all of it is on disk. Others must not read it: it contains everything people have written. */
async function openFile(path: string): Promise<Destination> {
  const draft = `${path}.part`
  await rm(draft, { force: true })
  const file = await open(draft, 'wx', 0o600)
  return {
    write: bytes => writeAll(file, bytes),
    async finish() {
      await file.sync()
      const [own, named] = [await file.stat(), await stat(draft)]
      await file.close()
      if (own.ino !== named.ino) throw new Failure(`${draft} is being written by another backup`)
      await rename(draft, path)
      await flush(dirname(path))
    },
    async abandon() {
      await file.close().catch(() => {})
      await rm(draft, { force: true })
    },
  }
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; )
    written += (await file.write(bytes, written, bytes.length - written)).bytesWritten
}

async function openStandardOutput(): Promise<Destination> {
  const { stdout } = process
  if (stdout.isTTY)
    throw new UsageError('FILE - is standard output, and that is a terminal: send it to a file or a program')
  // For other commands, a reader that stops has seen enough. Here the backup has failed, and each write says so.
  stdout.removeAllListeners('error').on('error', () => {})
  return {
    write: bytes =>
      new Promise((done, failed) => {
        stdout.write(bytes, error => (error ? failed(error) : done()))
      }),
    finish: async () => {},
    abandon: async () => {},
  }
}
