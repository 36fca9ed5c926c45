import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createPostgresDatabase } from '../support/database.ts'
import { describeWith } from '../support/describe-with.ts'
import { documented } from '../support/documented.ts'
import { newFolder, OPERATOR_TOKEN, SERVER_SECRET, serve } from '../support/server-process.ts'

const DOCUMENT = 'docs/running-in-production.md'
const run = promisify(execFile)

/** There is no container, pod or unit here, so these functions run the command that follows directly on this machine. */
const WAYS_IN = ['docker', 'kubectl', 'systemd-run'].map(
  name => `${name}() { while [ "\${1##*/}" != node ]; do shift; done; shift 2; "$NODE" "$MAIN" "$@"; }`,
)

function commandsOf(chapter: string): string {
  const [commands = ''] = documented(DOCUMENT, chapter).filter(block => block.includes(' init '))
  return commands
}

describeWith(['postgres', 'curl'], 'The first company', () => {
  it.each(['In containers', 'With systemd', 'On Kubernetes'])(
    'and its key are made by the commands of "%s", which print what the document shows',
    async chapter => {
      const { url: DATABASE_URL, drop } = await createPostgresDatabase()
      const env = { DATABASE_URL, SERVER_SECRET, OPERATOR_TOKEN, DATA_DIR: newFolder(), WORKER: 'off', DEMO: 'off' }
      const server = await serve(env)
      const { stdout, stderr } = await run('bash', ['-euc', [...WAYS_IN, commandsOf(chapter)].join('\n')], {
        env: {
          ...env,
          PATH: process.env.PATH,
          PORT: String(server.port),
          NODE: process.execPath,
          MAIN: resolve('dist/main.js'),
        },
        timeout: 120_000,
      })
      const [token = '', key = '', ...others] = stdout.trimEnd().split('\n')
      expect([token, key, others]).toEqual([
        expect.stringMatching(/^svc_\w+$/),
        expect.stringMatching(/^svc_api_\w+$/),
        [],
      ])

      const shown = documented(DOCUMENT, 'The first company', '').join('\n').split('\n')
      const told = shown.filter(line => line !== '' && line !== '…' && !line.startsWith('svc_'))
      expect(told.length).toBeGreaterThanOrEqual(5)
      for (const line of told) expect(stderr.split('\n')).toContain(line)

      const me = (await server.diwan.api(key).get('/me')).body.data
      expect([me.company.name, me.key.name]).toEqual(['Najd Trading', 'Automation'])
      const [call = ''] = documented(DOCUMENT, 'The first company')
      const answer = await run('bash', ['-euc', call], {
        env: { PATH: process.env.PATH, DIWAN_KEY: key, PUBLIC_URL: server.url },
      })
      expect(JSON.parse(answer.stdout).data).toEqual(me)
      await server.end('SIGTERM')
      await drop()
    },
  )
})
