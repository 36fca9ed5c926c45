import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeCertificate } from './certificate.ts'
import { type Haproxy, tlsClient } from './haproxy.ts'
import { newFolder } from './server-process.ts'
import { freePort, until } from './servers.ts'

const OTHER_NODE = 'server 127.0.0.1:3002 max_fails=1 fail_timeout=1s;'

/** nginx with the site as it is deployed, except for the lines that everybody has to change: addresses and certificate. */
export async function startNginx(program: string, [first, ...others]: string[]): Promise<Haproxy> {
  const folder = newFolder()
  const { key, cert, file } = makeCertificate(folder)
  writeFileSync(join(folder, 'key.pem'), key)
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const site = replaced(readFileSync('deploy/nginx.conf', 'utf8'), [
    ['server 127.0.0.1:3001 ', `server ${first} `],
    [OTHER_NODE, others.map(node => OTHER_NODE.replace('127.0.0.1:3002', node)).join('\n  ')],
    ['listen 80;', `listen 127.0.0.1:${httpPort};`],
    ['listen [::]:80;', ''],
    ['listen 443 ssl', `listen 127.0.0.1:${httpsPort} ssl`],
    ['listen [::]:443 ssl http2;', ''],
    ['/etc/nginx/diwan/fullchain.pem', file],
    ['/etc/nginx/diwan/key.pem', join(folder, 'key.pem')],
  ])
  writeFileSync(join(folder, 'site.conf'), site)
  writeFileSync(join(folder, 'nginx.conf'), mainFile(folder))
  const child = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], { stdio: 'pipe' })
  let said = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', text => (said += text))
  const client = tlsClient(httpsPort, cert)
  const proxy: Haproxy = {
    httpPort,
    httpsPort,
    ca: cert,
    ...client,
    async stop() {
      client.close()
      if (child.exitCode !== null) return
      const exited = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGTERM')
      await exited
    },
  }
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${said}`)
    return (await proxy.ask('/ready').catch(() => undefined))?.status === 200
  })
  return proxy
}

function replaced(text: string, pairs: [from: string, to: string][]): string {
  return pairs.reduce((changed, [from, to]) => {
    if (changed.split(from).length !== 2) throw new Error(`deploy/nginx.conf must have exactly one "${from}"`)
    return changed.replace(from, to)
  }, text)
}

/** What Debian's own file does around a site, in a folder of the test. */
function mainFile(folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${join(folder, name)};`,
  )
  return `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 2;
pid ${join(folder, 'pid')};
events {}
http {
  access_log off;
  ${temporary.join('\n  ')}
  gzip on;
  include ${join(folder, 'site.conf')};
}
`
}
