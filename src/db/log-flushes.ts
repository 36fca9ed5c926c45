import { fsync, fsyncSync } from 'node:fs'
import { promisify } from 'node:util'

// biome-ignore lint/suspicious/noExplicitAny: the engine does not export the type of its module
type Module = any

interface Stream {
  nfd: number
  node: { parent: { name: string } }
}

/** The flushes that the engine asks for. */
export interface LogFlushes {
  /** How often the kernel was asked to flush. */
  count(): number
  /** Whether the log has bytes that a commit relies on and that may not be on the disk yet. */
  isOwed(): boolean
  /** Flushes what is owed now. The engine may go on meanwhile. */
  pay(): Promise<void>
}

/** Operations that change a folder. For reads and writes, the stream says which file they concern. */
const CHANGES_OF_FOLDERS = ['mknod', 'setattr', 'rename', 'unlink', 'rmdir', 'symlink']

/**
 * The engine's file system never asks the kernel to flush. Here it does, but the engine does not wait for the log: it goes on
 * with the next statement, and the code that passes on its answers waits instead. So commits that come close together share a
 * flush.
 *
 * The log still reaches the disk before anything that relies on it: whatever else the engine writes, renames or removes waits
 * for the log first.
 */
export function flushForReal({ NODEFS }: Module, { stream_ops, node_ops }: Module): LogFlushes {
  const owed = new Set<number>()
  const inFlight = new Set<number>()
  let toClose: (() => void)[] = []
  let count = 0

  function flushNow(handle: number): void {
    // A failure becomes the engine's own kind of error, which it can handle.
    NODEFS.tryFSOperation(() => fsyncSync(handle))
    count++
  }

  function flushLogFirst(): void {
    if (owed.size === 0 && inFlight.size === 0) return
    for (const handle of new Set([...owed, ...inFlight])) flushNow(handle)
    owed.clear()
  }

  const { write, close, setattr } = stream_ops
  stream_ops.fsync = (stream: Stream) => {
    if (isOfLog(stream)) owed.add(stream.nfd)
    else {
      flushLogFirst()
      flushNow(stream.nfd)
    }
    return 0
  }
  stream_ops.write = (stream: Stream, ...rest: unknown[]) => {
    if (!isOfLog(stream)) flushLogFirst()
    return write(stream, ...rest)
  }
  stream_ops.setattr = (...given: unknown[]) => {
    flushLogFirst()
    return setattr(...given)
  }
  stream_ops.close = (stream: Stream) => {
    if (owed.has(stream.nfd)) flushLogFirst()
    // Closing is delayed: another file could get the same descriptor, and would be flushed in its place.
    if (inFlight.has(stream.nfd)) toClose.push(() => close(stream))
    else close(stream)
  }
  for (const name of CHANGES_OF_FOLDERS) {
    const change = node_ops[name]
    node_ops[name] = (...given: unknown[]) => {
      flushLogFirst()
      return change(...given)
    }
  }

  /** Must not be called again before it is done. */
  async function pay(): Promise<void> {
    for (const handle of owed) inFlight.add(handle)
    owed.clear()
    await Promise.all([...inFlight].map(handle => promisify(fsync)(handle)))
    count += inFlight.size
    inFlight.clear()
    for (const close of toClose) close()
    toClose = []
  }

  return { count: () => count, isOwed: () => owed.size > 0, pay }
}

function isOfLog({ node }: Stream): boolean {
  return node.parent.name === 'pg_wal'
}
