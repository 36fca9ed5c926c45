import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'

/** An established connection in the tables of the kernel: its ports, and what was sent and not acknowledged yet. */
const ROW = /^ *\d+: [\dA-F]+:([\dA-F]{4}) [\dA-F]+:([\dA-F]{4}) 01 ([\dA-F]{8}):/gm

/** How many bytes the kernel holds for the client of a connection. */
export type Unacknowledged = (socket: Socket) => number

/**
 * Asks the kernel, which holds up to megabytes for each connection and takes more only when a third of that has gone: what was
 * handed to it does not tell whether a slow client still reads. Where there are no such tables, nothing is known to be held.
 */
export async function askKernel(): Promise<Unacknowledged> {
  const held = new Map<string, number>()
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const rows = await readFile(table, 'latin1').catch(() => '')
    for (const [, local = '', remote = '', bytes = ''] of rows.matchAll(ROW)) {
      const ports = `${Number.parseInt(local, 16)} ${Number.parseInt(remote, 16)}`
      // Clients at several addresses may have the same port. If one of them reads, none of them is cut off.
      held.set(ports, (held.get(ports) ?? 0) + Number.parseInt(bytes, 16))
    }
  }
  return ({ localPort, remotePort }) => held.get(`${localPort} ${remotePort}`) ?? 0
}
