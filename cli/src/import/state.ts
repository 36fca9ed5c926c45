import { randomBytes } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { counted } from '../../../src/lib/counted.ts'
import { flush } from '../../../src/lib/flush.ts'
import { Failure } from '../frame/command.ts'
import { harmless, isRecord } from '../frame/output.ts'
import { openNew, openPlain } from './without-links.ts'

/** How far an import of rows without ids is. It is stored next to FILE. Rows with ids need none: the server knows them. */
export interface State {
  version: 2
  /** The ids that the import gives to its tasks begin with it. */
  run: string
  digest: string
  options: Record<string, unknown>
  done: Done
  finishedAt: string | null
}

export interface Done {
  batches: number
  tasks: number
}

const statePath = (file: string): string => `${file}.diwan-import.json`

export function newState(facts: Pick<State, 'digest' | 'options'>): State {
  const run = `import-${randomBytes(8).toString('hex')}`
  return { version: 2, run, ...facts, done: { batches: 0, tasks: 0 }, finishedAt: null }
}

export async function loadState(file: string): Promise<State | undefined> {
  const path = statePath(file)
  const text = await readPlain(path).catch(error => {
    if (error.code === 'ENOENT') return undefined
    if (error.code === 'ELOOP') throw new Failure(`${path} is a link, and links are not followed`)
    throw new Failure(`${path} cannot be read: ${error.message}`)
  })
  if (text === undefined) return undefined
  const state = parsed(text)
  if (!isState(state))
    throw new Failure(`${path} is not the state of an import by this version of Diwan. Delete it to start over`)
  return state
}

async function readPlain(path: string): Promise<string> {
  const handle = await openPlain(path)
  try {
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isState(value: unknown): value is State {
  return isRecord(value) && value.version === 2 && typeof value.run === 'string' && isRecord(value.done)
}

/** When it resolves, the state survives a power cut: either the previous one or this one. */
export async function saveState(file: string, state: State): Promise<void> {
  const path = statePath(file)
  const handle = await openNew(`${path}.new`)
  try {
    await handle.writeFile(`${JSON.stringify(state)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${path}.new`, path)
  await flush(dirname(resolve(path)))
}

/** An import is resumed with the same file and the same options, or not at all. */
export function requireSame(state: State, digest: string, options: Record<string, unknown>): void {
  const whatToDo = 'or use --again to start over, which imports every task again'
  if (state.digest !== digest)
    throw new Failure(
      `FILE has changed since its import began (${counted(state.done.tasks, 'task')} imported). Restore the original file to continue, ${whatToDo}`,
    )
  const changed = Object.keys(options).find(
    name => JSON.stringify(options[name]) !== JSON.stringify(state.options[name]),
  )
  if (changed)
    throw new Failure(
      `--${changed} was ${harmless(JSON.stringify(state.options[changed]))} when this import began (${counted(state.done.tasks, 'task')} imported). Use the same value to continue, ${whatToDo}`,
    )
}
