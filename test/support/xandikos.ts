import { mkdtempSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basic, type CalDavServer, PASSWORD, USERNAME, useCalDav } from './caldav-server.ts'
import { childServer } from './child-server.ts'
import { freePort } from './servers.ts'

/** Xandikos leaves authentication to a proxy, so this starts one in front of it. */
export async function startXandikos(program: string): Promise<CalDavServer> {
  const folder = mkdtempSync(join(tmpdir(), 'diwan-xandikos-'))
  const [port, inner] = [await freePort(), await freePort()]
  let authorization = basic(PASSWORD)
  const principal = `--current-user-principal=/${USERNAME}/`
  const args = ['-d', folder, '-l', '127.0.0.1', '-p', String(inner), principal, '--autocreate']
  const child = childServer(program, args, `http://127.0.0.1:${inner}/`)
  let proxy: Server | undefined

  return useCalDav({
    url: `http://127.0.0.1:${port}`,
    folder,
    setPassword(password) {
      authorization = basic(password)
    },
    async up() {
      await child.up()
      proxy ??= createServer((asked, answer) => {
        if (asked.headers.authorization !== authorization) return answer.writeHead(401).end()
        const { method, url: path, headers } = asked
        const forwarded = request({ host: '127.0.0.1', port: inner, method, path, headers, agent: false })
        forwarded.on('error', () => answer.destroy())
        forwarded.on('response', response => {
          answer.writeHead(response.statusCode as number, response.headers)
          response.pipe(answer)
        })
        return asked.pipe(forwarded)
      })
      const server = proxy
      if (!server.listening) await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
    },
    async down() {
      proxy?.close()
      proxy?.closeAllConnections()
      proxy = undefined
      await child.down()
    },
  })
}
