import { afterAll, beforeAll } from 'vitest'
import { createPostgresDatabase } from './database.ts'
import { created, type TestCompany } from './diwan.ts'
import { newList } from './factories.ts'
import { type Haproxy, startHaproxy } from './haproxy.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { findPart } from './parts.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { EXPANSIONS, previousRelease, type Release, releaseWith } from './releases.ts'
import { type Env, newFolder, OPERATOR_TOKEN, SERVER_SECRET, type ServerProcess, serve } from './server-process.ts'
import { freePort } from './servers.ts'

interface Releases {
  previous: Release
  next: Release
}

/** The release before this one, and one that adds to it as much as a release may. */
export function useReleases(): Releases {
  const releases = {} as Releases
  beforeAll(() => {
    const next = releaseWith('the next release', EXPANSIONS)
    Object.assign(releases, { previous: previousRelease(), next })
  }, 600_000)
  return releases
}

export const nodeOn = (databaseUrl: string, more: Env = {}): Env => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: newFolder(),
  SERVER_SECRET,
  OPERATOR_TOKEN,
  BURST_PER_MINUTE: '0',
  ALLOW_PRIVATE_WEBHOOKS: 'on',
  ...more,
})

interface ReleasedNodes {
  database: Awaited<ReturnType<typeof createPostgresDatabase>>
  proxy: Haproxy
  nodes: ServerProcess[]
  /** Starts the node at this place, of this release. */
  start(n: number, release: Release): Promise<void>
  /** What the nodes send goes here: mail to two people, and a webhook for tasks. */
  mail: MailServer
  receiver: Receiver
  company: TestCompany
  projectId: string
  listId: string
}

/** Two nodes of the release before on one PostgreSQL, and a proxy that knows as many places for nodes as wanted. */
export function useReleasedNodes(releases: Releases, places: number): ReleasedNodes {
  const nodes: ServerProcess[] = []
  const running = { nodes } as ReleasedNodes
  beforeAll(async () => {
    const database = await createPostgresDatabase()
    const mail = await startMailServer({ passingOverInvitations: true })
    const receiver = await startReceiver()
    const sent = { SMTP_URL: mail.url, MAIL_FROM: 'Diwan <diwan@example.com>' }
    const env = nodeOn(database.url, { ...sent, TRUST_PROXY: 'loopback' })
    const ports: number[] = []
    while (ports.length < places) ports.push(await freePort())
    const start: ReleasedNodes['start'] = async (n, { main }) => {
      nodes[n] = await serve({ ...env, PORT: String(ports[n]) }, [], main)
    }
    Object.assign(running, { database, mail, receiver, start })
    await Promise.all([start(0, releases.previous), start(1, releases.previous)])
    const addresses = ports.map(port => `127.0.0.1:${port}`)
    running.proxy = await startHaproxy(findPart('haproxy') as string, addresses)
    const { diwan } = nodes[0] as ServerProcess
    const company = await diwan.company({ daily_calls: 1_000_000 })
    await Promise.all([diwan.person(company.id), diwan.person(company.id)])
    const projectId = (await diwan.project(company, { is_public: true })).id
    const listId = (await newList(company, projectId)).id
    await created(company.admin.post('/webhooks', { name: 'Tasks', url: receiver.url, kinds: ['task.*'] }))
    Object.assign(running, { company, projectId, listId })
  })
  afterAll(async () => {
    await running.proxy?.stop()
    await Promise.all(nodes.map(node => node.end('SIGKILL')))
    await running.database?.drop()
  })
  return running
}
