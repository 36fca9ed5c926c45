import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

type State = 'trying' | 'held'

const ASK_AGAIN_EVERY_MS = 50

/**
 * Holds a folder for this process alone: two processes on one folder would silently lose each other's writes. Each process
 * first publishes a listening Unix socket with a name of its own, then asks every other one: so of two at least one sees the
 * other. The kernel closes a socket when its process dies, however it dies, and no name is used twice: a dead one can be
 * removed without a race. While the folder is held, whoever connects is told so, and `onGuest` may answer further requests.
 */
export async function lockFolder(
  folder: string,
  onGuest: (socket: Socket) => void = socket => socket.end(),
): Promise<() => Promise<void>> {
  const handle = openSync(folder, 'r')
  const at = addressesIn(folder, handle)
  const own = `lock.${process.pid}.${randomBytes(4).toString('hex')}`
  let state: State = 'trying'
  const guests = new Set<Socket>()
  const server = await listen(at(`new-${own}`), socket => {
    guests.add(socket.on('close', () => guests.delete(socket)).on('error', () => {}))
    if (state === 'trying') return socket.end(state)
    socket.write(state)
    onGuest(socket)
  })
  const release = async () => {
    await rm(join(folder, own), { force: true })
    for (const guest of guests) guest.destroy()
    await new Promise(resolve => server.close(resolve))
    closeSync(handle)
  }
  try {
    // Published only once it listens: until then it would look dead.
    await rename(join(folder, `new-${own}`), join(folder, own))
    for (const other of await readdir(folder)) {
      if (isLock(other) && other !== own) await waitUntilGone(folder, at(other), other, own)
    }
    state = 'held'
    return release
  } catch (error) {
    await release()
    throw error
  }
}

/** The folder's handle keeps the address short: that of a Unix socket may have no more than 107 bytes. */
function addressesIn(folder: string, handle: number): (name: string) => string {
  return name => (process.platform === 'linux' ? `/proc/self/fd/${handle}/${name}` : join(folder, name))
}

const isLock = (name: string) => name.startsWith('lock.')

/** Connects to the process that holds a folder: a connection on which it has said so, and its pid; undefined when none does. */
export async function callOnHolder(folder: string): Promise<{ socket: Socket; pid: string } | undefined> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter(isLock)) {
    const handle = openSync(folder, 'r')
    try {
      const socket = await connectToHolder(addressesIn(folder, handle)(name))
      if (socket) return { socket, pid: pidIn(name) }
    } finally {
      closeSync(handle)
    }
  }
  return undefined
}

/** Returns when the other is dead or has given up. Of two that try at the same moment, the first by name wins. */
async function waitUntilGone(folder: string, address: string, other: string, own: string): Promise<void> {
  for (;;) {
    const state = await stateOf(address)
    if (state === undefined) return rm(join(folder, other), { force: true })
    if (state === 'held' || other < own) throw alreadyOpen(folder, pidIn(other))
    await sleep(ASK_AGAIN_EVERY_MS)
  }
}

const pidIn = (lock: string) => lock.split('.')[1] as string

function alreadyOpen(folder: string, pid: string): Error {
  return new Error(
    `DATA_DIR: ${folder} is already open in another process (pid ${pid}). Stop that one or choose another DATA_DIR`,
  )
}

function listen(path: string, onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onConnection)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.unref()
      resolve(server)
    })
  })
}

const ANSWERS_WITHIN_MS = 2_000

/** Undefined when nobody listens. A process that is too busy to answer counts as holding the folder. */
function stateOf(path: string): Promise<State | undefined> {
  return new Promise(resolve => {
    let answer = ''
    const socket = connect(path)
    socket.setEncoding('utf8').setTimeout(ANSWERS_WITHIN_MS, () => socket.destroy())
    socket.on('data', text => {
      answer += text
      // A holder keeps the connection open for further requests.
      if (answer === 'held') socket.destroy()
    })
    socket.on('error', () => resolve(undefined))
    socket.on('close', () => resolve(answer === 'trying' ? 'trying' : 'held'))
  })
}

/** A holder may be busy with a long statement. */
const GREETS_WITHIN_MS = 30_000

/** A connection on which a holder has answered; undefined when nobody holds the folder. */
function connectToHolder(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    const leave = () => {
      socket.destroy()
      resolve(undefined)
    }
    socket.setTimeout(GREETS_WITHIN_MS, () => {
      socket.destroy()
      reject(new Error('DATA_DIR: the process that has it open does not answer'))
    })
    socket.once('error', leave)
    socket.once('data', answer => {
      if (answer.toString() !== 'held') return leave()
      socket
        .setTimeout(0)
        .off('error', leave)
        .on('error', () => {})
      resolve(socket)
    })
  })
}
