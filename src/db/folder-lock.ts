import { closeSync, openSync } from 'node:fs'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Holds a folder for this process alone: two on one folder would silently lose each other's writes. The lock is a
 * listening Unix socket, because the kernel closes it when its holder dies, however it dies.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const handle = openSync(folder, 'r')
  // Through the folder's handle the address stays short: a Unix socket's may have no more than 107 bytes.
  const at = (name: string) => (process.platform === 'linux' ? `/proc/self/fd/${handle}/${name}` : join(folder, name))
  const own = `lock.${process.pid}`
  await rm(join(folder, own), { force: true })
  const server = await listen(at(own), String(process.pid))
  const release = async () => {
    await new Promise(resolve => server.close(resolve))
    closeSync(handle)
  }

  try {
    await link(join(folder, own), join(folder, 'lock')).catch(() => takeOver(folder, at, own))
  } catch (error) {
    await release()
    await rm(join(folder, own), { force: true })
    throw error
  }
  await rm(join(folder, own), { force: true })
  await writeFile(join(folder, 'lock.pid'), `${process.pid}\n`)
  return async () => {
    await rm(join(folder, 'lock'), { force: true })
    await rm(join(folder, 'lock.pid'), { force: true })
    await release()
  }
}

/** A socket that nobody answers is what a killed process left behind. */
async function takeOver(folder: string, at: (name: string) => string, own: string): Promise<void> {
  const holder = await ask(at('lock'))
  if (holder !== undefined) throw alreadyOpen(folder, holder)
  await rename(join(folder, own), join(folder, 'lock'))
  // Another process may have found the same dead socket at the same moment: the last one to rename has it.
  await sleep(250)
  const winner = await ask(at('lock'))
  if (winner !== String(process.pid))
    throw alreadyOpen(folder, winner ?? (await readFile(join(folder, 'lock.pid'), 'utf8')).trim())
}

function alreadyOpen(folder: string, pid: string): Error {
  return new Error(
    `DATA_DIR: ${folder} is already open in another process (pid ${pid}). Stop that one or choose another DATA_DIR`,
  )
}

function listen(path: string, answer: string): Promise<Server> {
  const server = createServer(socket => socket.on('error', () => {}).end(answer))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.unref()
      resolve(server)
    })
  })
}

function ask(path: string): Promise<string | undefined> {
  return new Promise(resolve => {
    let answer = ''
    const socket = connect(path)
    socket.setEncoding('utf8').setTimeout(2_000, () => socket.destroy())
    socket.on('data', text => {
      answer += text
    })
    socket.on('error', () => resolve(undefined))
    socket.on('close', () => resolve(answer || 'unknown'))
  })
}
