import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

export interface Secrets {
  serverSecret: string
  operatorToken: string
}

/** Where a secret that nobody configured is kept. */
export const secretFiles = { serverSecret: 'server-secret', operatorToken: 'operator-token' } as const

/** The configured secrets; those that are missing are made on the first start and kept in the data folder. */
export async function loadSecrets(dataDir: string, configured: Partial<Secrets>): Promise<Secrets> {
  await mkdir(dataDir, { recursive: true }).catch(error => {
    throw new Error(`DATA_DIR: ${error.message}`)
  })
  const keep = (name: keyof Secrets) => configured[name] ?? readOrMake(join(dataDir, secretFiles[name]))
  return { serverSecret: await keep('serverSecret'), operatorToken: await keep('operatorToken') }
}

async function readOrMake(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch(() => '')
  if (kept.trim() !== '') return kept.trim()
  const secret = randomBytes(32).toString('base64url')
  const draft = `${path}.${process.pid}`
  const file = await open(draft, 'w', 0o600)
  await file.writeFile(`${secret}\n`)
  await file.sync()
  await file.close()
  // Of two that start at the same moment one makes the secret and both use it.
  await link(draft, path).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return (await readFile(path, 'utf8')).trim()
}
