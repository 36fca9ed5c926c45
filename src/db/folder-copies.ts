import { randomBytes } from 'node:crypto'
import { readdir, rm, statfs } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { type Copies, copyFolder, sizeOfFolder } from '../lib/copy-folder.ts'
import { humanSize } from '../lib/size.ts'
import { callOnHolder } from './folder-lock.ts'

// A process can read a database that is open in another process, as it was at one moment: the other process makes a copy beside
// the original, and the reader opens that. They talk over the socket of the folder's lock, with one line each way. The copy is
// in use for as long as their connection lasts.

const FOLDER = 'copies'
const REQUEST = 'copy\n'
const ASKS_WITHIN_MS = 2_000
const ANSWERS_WITHIN_MS = 600_000
const LONGEST_ANSWER = 4_096
/** Room for what opening the copy may write, and for what others write meanwhile. */
const MORE_ROOM_BYTES = 64 * 1024 ** 2

interface Answer {
  folder?: string
  /** For how long nobody else was served. */
  held_ms?: number
  error?: string
}

/** Runs work while nobody else uses the database and all of it is on the disk; returns how many milliseconds that took. */
type Hold = (work: () => Promise<void>) => Promise<number>

/** Serves processes that ask the holder of a data folder for a copy of the database. */
export function createCopies(dataDir: string, hold: Hold): (socket: Socket) => void {
  let isCopying = false
  const inUse = new Set<string>()

  /** Called when the asking process has ended, however it did. If this process closes the socket, that one may still read. */
  async function removeCopy(folder: string): Promise<void> {
    inUse.delete(folder)
    await removeUnlessOpen(folder).catch(() => {})
  }

  async function answer(socket: Socket): Promise<void> {
    if (isCopying) return sendAnswer(socket, { error: 'another copy of the database is being made: try again soon' })
    isCopying = true
    let isMade = false
    const folder = join(dataDir, FOLDER, randomBytes(6).toString('hex'))
    inUse.add(folder)
    socket.once('close', () => isMade && removeCopy(folder))
    try {
      await removeAbandonedCopies(dataDir, inUse)
      sendAnswer(socket, { folder, held_ms: await copyDatabase(join(dataDir, 'database'), folder, hold) })
    } catch (error) {
      sendAnswer(socket, { error: (error as Error).message })
    } finally {
      isCopying = false
      isMade = true
      if (socket.destroyed) await removeCopy(folder)
    }
  }

  return socket => {
    socket.setTimeout(ASKS_WITHIN_MS, () => socket.destroy())
    socket.once('data', asked => {
      socket.setTimeout(0)
      if (asked.toString() === REQUEST) answer(socket)
      else socket.end()
    })
  }
}

function sendAnswer(socket: Socket, answer: Answer): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(answer)}\n`)
}

/** Copies most of it while the database is in use, then holds all others and copies what has changed meanwhile. */
async function copyDatabase(original: string, folder: string, hold: Hold): Promise<number> {
  await requireRoom(original)
  const copies: Copies = new Map()
  const copy = () => copyFolder(original, join(folder, 'database'), copies)
  try {
    await hold(async () => {})
    await copy()
    return await hold(copy)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function requireRoom(original: string): Promise<void> {
  const [sizeBytes, { bavail, bsize }] = await Promise.all([sizeOfFolder(original), statfs(original)])
  const [needed, free] = [sizeBytes + MORE_ROOM_BYTES, bavail * bsize]
  if (free >= needed) return
  throw new Error(
    `the disk of DATA_DIR has ${humanSize(free)} free, and a copy of the database needs ${humanSize(needed)}. Make room, or stop the server meanwhile`,
  )
}

/** Removes copies that nobody has open, because the process that asked for them or the one that made them was killed. */
export async function removeAbandonedCopies(dataDir: string, inUse = new Set<string>()): Promise<void> {
  const names = await readdir(join(dataDir, FOLDER)).catch(() => [])
  const folders = names.map(name => join(dataDir, FOLDER, name))
  for (const folder of folders) if (!inUse.has(folder)) await removeUnlessOpen(folder)
}

/** Keeps it also when its user is too busy to answer. */
async function removeUnlessOpen(folder: string): Promise<void> {
  const isOpen = await callOnHolder(folder).then(
    user => user?.socket.destroy() !== undefined,
    () => true,
  )
  if (!isOpen) await rm(folder, { recursive: true, force: true })
}

interface DatabaseCopy {
  /** A data folder with nothing but the database. */
  folder: string
  heldMs: number
  remove(): Promise<void>
}

/** Asks the process that has a data folder open for a copy of its database; undefined when no process has. */
export async function askForCopy(dataDir: string): Promise<DatabaseCopy | undefined> {
  const holder = await callOnHolder(dataDir)
  if (!holder) return undefined
  const { socket, pid } = holder
  const { folder, held_ms = 0, error } = await request(socket)
  if (folder === undefined) {
    socket.destroy()
    throw new Error(`DATA_DIR: ${dataDir} is open in another process (pid ${pid}); ${error}`)
  }
  return {
    folder,
    heldMs: held_ms,
    async remove() {
      await rm(folder, { recursive: true, force: true })
      socket.destroy()
    },
  }
}

function request(socket: Socket): Promise<Answer> {
  return new Promise(resolve => {
    let text = ''
    const late = setTimeout(() => socket.destroy(), ANSWERS_WITHIN_MS)
    const end = (answer: Answer) => {
      clearTimeout(late)
      resolve(answer)
    }
    socket.once('close', () => end({ error: 'it gave no copy of the database. Stop it, or start it again and retry' }))
    socket.on('data', piece => {
      text += piece
      if (text.length > LONGEST_ANSWER) socket.destroy()
      else if (text.endsWith('\n')) end(JSON.parse(text))
    })
    socket.write(REQUEST)
  })
}
