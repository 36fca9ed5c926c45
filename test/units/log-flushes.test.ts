import { closeSync, fstatSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { flushForReal, type LogFlushes } from '../../src/db/log-flushes.ts'
import { newFolder } from '../support/server-process.ts'

/** The file system of the engine, as far as flushes go, on real files. */
function fileSystem() {
  const folder = newFolder()
  const open = (parent: string, name: string) => ({
    nfd: openSync(join(folder, name), 'w'),
    node: { parent: { name: parent } },
  })
  type Stream = ReturnType<typeof open>
  const type = {
    stream_ops: {
      fsync: (_: Stream) => 0,
      write: ({ nfd }: Stream, text: string) => writeSync(nfd, text),
      setattr: (_: Stream) => {},
      close: ({ nfd }: Stream) => closeSync(nfd),
    },
    node_ops: Object.fromEntries(
      ['mknod', 'setattr', 'rename', 'unlink', 'rmdir', 'symlink'].map(name => [name, () => {}]),
    ) as Record<string, () => void>,
  }
  const flushes = flushForReal({ NODEFS: { tryFSOperation: (work: () => unknown) => work() } }, type)
  return { ...type, flushes, log: open('pg_wal', 'log'), table: open('5', 'table') }
}

let files: ReturnType<typeof fileSystem>
let flushes: LogFlushes

beforeEach(() => {
  files = fileSystem()
  flushes = files.flushes
})

afterEach(() => {
  for (const { nfd } of [files.log, files.table]) {
    try {
      closeSync(nfd)
    } catch {}
  }
})

function commit(): void {
  files.stream_ops.write(files.log, 'committed')
  files.stream_ops.fsync(files.log)
}

describe('The log of the embedded engine', () => {
  it('is flushed when somebody pays for it, once for all commits until then', async () => {
    commit()
    commit()
    expect([flushes.isOwed(), flushes.count()]).toEqual([true, 0])
    await flushes.pay()
    expect([flushes.isOwed(), flushes.count()]).toEqual([false, 1])
  })

  it('is owed again by a commit that comes while it is flushed', async () => {
    commit()
    const paid = flushes.pay()
    commit()
    await paid
    expect(flushes.isOwed()).toBe(true)
  })

  it('is on the disk before anything else is written, flushed, renamed or removed', () => {
    const changes = [
      () => files.stream_ops.write(files.table, 'a page'),
      () => files.stream_ops.setattr(files.table),
      ...Object.values(files.node_ops),
    ]
    for (const [n, change] of changes.entries()) {
      commit()
      change()
      expect([flushes.isOwed(), flushes.count()]).toEqual([false, n + 1])
    }
    commit()
    files.stream_ops.fsync(files.table)
    expect(flushes.count()).toBe(changes.length + 2)
  })

  it('is on the disk before a page is written also while it is on its way there', async () => {
    commit()
    const paid = flushes.pay()
    files.stream_ops.write(files.table, 'a page')
    expect(flushes.count()).toBe(1)
    await paid
  })

  it('may be written further without a flush', () => {
    commit()
    files.stream_ops.write(files.log, 'more')
    expect([flushes.isOwed(), flushes.count()]).toEqual([true, 0])
  })

  it('stays open until its flush is over: its number may be given to another file', async () => {
    commit()
    const paid = flushes.pay()
    files.stream_ops.close(files.log)
    expect(fstatSync(files.log.nfd).isFile()).toBe(true)
    await paid
    expect(() => fstatSync(files.log.nfd)).toThrow('EBADF')
  })
})
