import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Secrets {
  serverSecret: string
  operatorToken: string
}

/** Where a secret that nobody configured is kept. */
export const secretFiles = { serverSecret: 'server-secret', operatorToken: 'operator-token' } as const

/** The configured secrets; those that are missing are made on the first start and kept in the data folder. */
export async function loadSecrets(dataDir: string, configured: Partial<Secrets>): Promise<Secrets> {
  await mkdir(dataDir, { recursive: true })
  const keep = (name: keyof Secrets) => configured[name] ?? readOrMake(join(dataDir, secretFiles[name]))
  return { serverSecret: await keep('serverSecret'), operatorToken: await keep('operatorToken') }
}

async function readOrMake(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch(() => '')
  if (kept.trim() !== '') return kept.trim()
  const secret = randomBytes(32).toString('base64url')
  const file = await open(path, 'w', 0o600)
  await file.writeFile(`${secret}\n`)
  await file.sync()
  await file.close()
  return secret
}
