import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CalDavServer, PASSWORD, USERNAME, useCalDav } from './caldav-server.ts'
import { childServer } from './child-server.ts'
import { freePort } from './servers.ts'

export async function startRadicale(program: string): Promise<CalDavServer> {
  const folder = mkdtempSync(join(tmpdir(), 'diwan-radicale-'))
  const users = join(folder, 'users')
  const setPassword = (password: string) => writeFileSync(users, `${USERNAME}:${password}\n`)
  setPassword(PASSWORD)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const args = [
    '--config=',
    `--server-hosts=127.0.0.1:${port}`,
    `--storage-filesystem-folder=${join(folder, 'data')}`,
    '--auth-type=htpasswd',
    `--auth-htpasswd-filename=${users}`,
    '--auth-htpasswd-encryption=plain',
    '--auth-delay=0',
  ]
  return useCalDav({ url, folder, setPassword, ...childServer(program, args, `${url}/.web/`) })
}
