import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { flush } from '../../lib/flush.ts'
import { requireWritable, unwritable } from './data-folder.ts'

export interface Secrets {
  serverSecret: string
  operatorToken: string
}

/** The files in which secrets are kept that were not configured. */
export const secretFiles = { serverSecret: 'server-secret', operatorToken: 'operator-token' } as const

/** The configured secrets; missing ones are made on the first start and kept in the data folder. */
export async function loadSecrets(dataDir: string, configured: Partial<Secrets>): Promise<Secrets> {
  await requireWritable(dataDir)
  const keep = (name: keyof Secrets) => configured[name] ?? readOrMake(join(dataDir, secretFiles[name]))
  return { serverSecret: await keep('serverSecret'), operatorToken: await keep('operatorToken') }
}

/** The server secret if there is one: code that only compares must not make a new one. */
export async function findServerSecret(
  dataDir: string,
  configured: { serverSecret: string | undefined },
): Promise<string | undefined> {
  return configured.serverSecret ?? readKept(join(dataDir, secretFiles.serverSecret))
}

async function readOrMake(path: string): Promise<string> {
  return (await readKept(path)) ?? make(path)
}

async function readKept(path: string): Promise<string | undefined> {
  const contents = await readFile(path, 'utf8').catch(error => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`DATA_DIR: ${error.message}`)
  })
  if (contents?.trim() === '')
    throw new Error(`DATA_DIR: ${path} is empty. Restore it, or remove it to begin with a new one`)
  return contents?.trim()
}

/** Flushes the file, then its folder: otherwise things signed with the secret could outlive it. */
async function make(path: string): Promise<string> {
  const draft = `${path}.${process.pid}`
  try {
    await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
    // Of two processes that start at the same moment, one makes the secret and both use it.
    await link(draft, path).catch(error => {
      if (error.code !== 'EEXIST') throw error
    })
  } catch (error) {
    throw unwritable(path, error as Error)
  } finally {
    await rm(draft, { force: true })
  }
  await flush(dirname(path))
  return (await readKept(path)) as string
}
