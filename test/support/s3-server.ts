import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import { childServer } from './child-server.ts'
import { freePort } from './servers.ts'

// OpenStack Swift with its own S3 layer: four small processes, one device, one replica.

const PYTHON = '/usr/bin/python3'
const BUCKET = 'diwan'
const KEY = { accessKeyId: 'test:tester', secretAccessKey: 'testing/secret+' }

export type S3Server = Awaited<ReturnType<typeof startS3>>

export async function startS3() {
  const folder = mkdtempSync(join(tmpdir(), 'diwan-s3-'))
  for (const part of ['srv/sda', 'etc']) mkdirSync(join(folder, part), { recursive: true })
  const ports = { account: await freePort(), container: await freePort(), object: await freePort() }
  const port = await freePort()
  writeConfiguration(folder, port, ports)
  const launch = (kind: string, at: number) =>
    childServer(
      PYTHON,
      [join(folder, 'etc/launch.py'), join(folder, 'etc'), kind],
      `http://127.0.0.1:${at}/healthcheck`,
    )
  const parts = [...Object.entries(ports), ['proxy', port] as const].map(([kind, at]) => launch(kind, at))
  const front = parts[3] as (typeof parts)[number]
  await Promise.all(parts.map(part => part.up()))

  const endpoint = `http://127.0.0.1:${port}`
  const { accessKeyId, secretAccessKey } = KEY
  const aws = new AwsClient({ ...KEY, service: 's3', region: 'us-east-1' })
  await aws.fetch(`${endpoint}/${BUCKET}`, { method: 'PUT' })
  return {
    port,
    /** As the setting S3_URL. A prefix is a folder of its own in the bucket. */
    urlOf: (prefix: string, at = port) =>
      `http://${encodeURIComponent(accessKeyId)}:${encodeURIComponent(secretAccessKey)}@127.0.0.1:${at}/${BUCKET}/${prefix}`,
    /** As another client would: a call of the bucket itself. */
    call: (path: string, init: RequestInit = {}) => aws.fetch(`${endpoint}/${BUCKET}/${path}`, init),
    up: front.up,
    /** Takes away what answers, and keeps the bytes. */
    down: front.down,
    async close() {
      for (const part of parts) await part.down()
    },
  }
}

function writeConfiguration(folder: string, port: number, ports: Record<string, number>): void {
  const etc = join(folder, 'etc')
  const write = (name: string, text: string) => writeFileSync(join(etc, name), text)
  const common = `swift_dir = ${etc}\nbind_ip = 127.0.0.1\nworkers = 0\nuser = ${process.env.USER ?? 'root'}\n`
  write('swift.conf', '[swift-hash]\nswift_hash_path_suffix = test\nswift_hash_path_prefix = test\n')
  const filters = ['catch_errors', 'gatekeeper', 'healthcheck', 'listing_formats', 'bulk', 'slo']
  write(
    'proxy-server.conf',
    `[DEFAULT]
${common}bind_port = ${port}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats s3api tempauth bulk slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
node_timeout = 60
recoverable_node_timeout = 60
conn_timeout = 10
error_suppression_limit = 1000000
# tempauth wants a cache; one that cannot be reached counts as empty.
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
error_suppression_limit = 1
error_suppression_interval = 1
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
s3_acl = false
[filter:tempauth]
use = egg:swift#tempauth
user_${KEY.accessKeyId.replace(':', '_')} = ${KEY.secretAccessKey} .admin
${filters.map(name => `[filter:${name}]\nuse = egg:swift#${name}\n`).join('')}`,
  )
  for (const [kind, at] of Object.entries(ports))
    write(
      `${kind}-server.conf`,
      `[DEFAULT]
${common}bind_port = ${at}
devices = ${join(folder, 'srv')}
mount_check = false
container_update_timeout = 30
[pipeline:main]
pipeline = healthcheck ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
[filter:healthcheck]
use = egg:swift#healthcheck
`,
    )
  write('launch.py', LAUNCH)
  const rings = ['account', 'container', 'object'].map(kind => `${kind}:${ports[kind]}`)
  execFileSync(PYTHON, ['-c', RINGS, etc, ...rings])
}

const LAUNCH = `
import os, sys
etc, kind = sys.argv[1:3]
from swift.common import utils
utils.set_swift_dir(etc)
from swift.common.wsgi import run_wsgi
extra = {}
if kind == 'object':
    from swift.obj import server
    extra['global_conf_callback'] = server.global_conf_callback
sys.exit(run_wsgi(os.path.join(etc, kind + '-server.conf'), kind + '-server', verbose=True, **extra))
`

const RINGS = `
import os, sys
from swift.common.ring import RingBuilder
for part in sys.argv[2:]:
    kind, port = part.split(':')
    ring = RingBuilder(2, 1, 0)
    ring.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'ip': '127.0.0.1', 'port': int(port),
                  'replication_ip': '127.0.0.1', 'replication_port': int(port), 'device': 'sda', 'meta': ''})
    ring.rebalance()
    ring.get_ring().save(os.path.join(sys.argv[1], kind + '.ring.gz'))
`
