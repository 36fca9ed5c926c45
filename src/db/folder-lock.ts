import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

type State = 'trying' | 'held'

const ASK_AGAIN_EVERY_MS = 50

/**
 * Holds a folder for this process alone: two on one folder would silently lose each other's writes. Each that wants it
 * first shows a listening Unix socket of a name of its own, then asks every other one: so of two at least one sees the
 * other. The kernel closes a socket when its holder dies, however it dies, and no name comes twice: a dead one is removed
 * without a race.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const handle = openSync(folder, 'r')
  // Through the folder's handle the address stays short: a Unix socket's may have no more than 107 bytes.
  const at = (name: string) => (process.platform === 'linux' ? `/proc/self/fd/${handle}/${name}` : join(folder, name))
  const own = `lock.${process.pid}.${randomBytes(4).toString('hex')}`
  let state: State = 'trying'
  const server = await listen(at(`new-${own}`), () => state)
  const release = async () => {
    await rm(join(folder, own), { force: true })
    await new Promise(resolve => server.close(resolve))
    closeSync(handle)
  }
  try {
    // Shown only once it listens: until then it would look dead.
    await rename(join(folder, `new-${own}`), join(folder, own))
    for (const other of await readdir(folder)) {
      if (other.startsWith('lock.') && other !== own) await outlast(folder, at(other), other, own)
    }
    state = 'held'
    return release
  } catch (error) {
    await release()
    throw error
  }
}

/** Returns when the other is dead or has given way. Of two that try at the same moment, the first by name stays. */
async function outlast(folder: string, address: string, other: string, own: string): Promise<void> {
  for (;;) {
    const state = await ask(address)
    if (state === undefined) return rm(join(folder, other), { force: true })
    if (state === 'held' || other < own) throw alreadyOpen(folder, other.split('.')[1] as string)
    await sleep(ASK_AGAIN_EVERY_MS)
  }
}

function alreadyOpen(folder: string, pid: string): Error {
  return new Error(
    `DATA_DIR: ${folder} is already open in another process (pid ${pid}). Stop that one or choose another DATA_DIR`,
  )
}

function listen(path: string, answer: () => State): Promise<Server> {
  const server = createServer(socket => socket.on('error', () => {}).end(answer()))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.unref()
      resolve(server)
    })
  })
}

/** Undefined when nobody is there. One that is there and too busy to answer counts as holding. */
function ask(path: string): Promise<State | undefined> {
  return new Promise(resolve => {
    let answer = ''
    const socket = connect(path)
    socket.setEncoding('utf8').setTimeout(2_000, () => socket.destroy())
    socket.on('data', text => {
      answer += text
    })
    socket.on('error', () => resolve(undefined))
    socket.on('close', () => resolve(answer === 'trying' ? 'trying' : 'held'))
  })
}
