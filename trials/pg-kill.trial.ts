import { afterAll, expect, it } from 'vitest'
import { type DatabaseFault, watchDatabase } from '../test/rounds/failing-databases.ts'
import { missingFrom } from '../test/support/acknowledged-writes.ts'
import { describeWith } from '../test/support/describe-with.ts'
import { goOn, pause } from '../test/support/paused-programs.ts'
import { random, shuffled } from '../test/support/random.ts'
import { type Env, newFolder, OPERATOR_TOKEN, SERVER_SECRET, serve } from '../test/support/server-process.ts'
import { askPostgres, type StartedPostgres, startPostgres, until } from '../test/support/servers.ts'
import { type SilentProxy, startSilentProxy } from '../test/support/silent-proxy.ts'
import { rounds, tell } from '../test/support/trial.ts'

const FAULTS_OF_EACH = rounds(1, 8)
const FAILOVERS = rounds(1, 10)
const HOLD_MS = rounds(1_000, 10_000)

/** Nothing tells that a connection is lost but 4.75 seconds of silence; the rest is for a busy machine. */
const FOUND_OUT_WITHIN_MS = 7_000
const DURABLE = { settings: ['synchronous_commit=on'] }
const nodeOn = (url: string): Env => ({
  DATA_DIR: newFolder(),
  DATABASE_URL: url,
  SERVER_SECRET,
  OPERATOR_TOKEN,
  BURST_PER_MINUTE: '0',
  WORKER: 'off',
})

const started: StartedPostgres[] = []
async function start(program: string, followed?: StartedPostgres): Promise<StartedPostgres> {
  const postgres = await startPostgres(program, followed, DURABLE)
  started.push(postgres)
  return postgres
}
afterAll(() => Promise.all(started.map(postgres => postgres.stop())))

/** Everything that can happen to one server, or to what is between. */
function faultsOf(postgres: StartedPostgres, proxy: SilentProxy): DatabaseFault[] {
  const restart = (name: string, signal: NodeJS.Signals) => ({
    name,
    isTotal: true,
    begin: () => postgres.halt(signal),
    end: () => postgres.resume(),
  })
  const writing = new URL(postgres.url)
  writing.searchParams.set('options', '-c default_transaction_read_only=off')
  const ask = (statement: string) => askPostgres(writing.href, statement)
  return [
    restart('a fast restart', 'SIGINT'),
    restart('an immediate restart', 'SIGQUIT'),
    restart('a crash', 'SIGKILL'),
    {
      name: 'a pause',
      isTotal: true,
      begin: async () => pause(postgres.pid),
      end: async () => goOn(postgres.pid),
    },
    {
      name: 'connections that fall silent',
      isTotal: false,
      begin: async () => proxy.silenceConnections(),
      end: async () => {},
      servesWithinMs: FOUND_OUT_WITHIN_MS,
    },
    {
      name: 'silence',
      isTotal: true,
      begin: async () => proxy.silence(),
      end: async () => proxy.speak(),
      servesWithinMs: FOUND_OUT_WITHIN_MS,
    },
    {
      name: 'read-only from now on',
      isTotal: true,
      async begin() {
        await ask('alter system set default_transaction_read_only = on')
        await ask('select pg_reload_conf()')
        await until(async () => (await askPostgres(postgres.url, 'show transaction_read_only')) === 'on')
      },
      async end() {
        await ask('alter system reset default_transaction_read_only')
        await ask('select pg_reload_conf()')
        await until(async () => (await askPostgres(postgres.url, 'show transaction_read_only')) === 'off')
      },
    },
    {
      name: 'read-only for new sessions, and the old ones are ended',
      isTotal: true,
      async begin() {
        await ask('alter database postgres set default_transaction_read_only = on')
        await ask("select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'diwan'")
      },
      end: () => ask('alter database postgres reset default_transaction_read_only'),
    },
  ]
}

describeWith('postgres', 'A PostgreSQL server', ({ postgres: program }) => {
  it('that is restarted, paused, cut off or read-only under load loses nothing, and nobody waits for longer than promised', async () => {
    const postgres = await start(program)
    const { port, hostname } = new URL(postgres.url)
    const proxy = await startSilentProxy({ port: Number(port), host: hostname })
    const node = await serve(nodeOn(postgres.url.replace(port, String(proxy.port))))
    const { api } = await node.diwan.company({ daily_calls: 1_000_000 })
    const watched = watchDatabase(node, api)
    let faults = 0
    for (let round = 0; round < FAULTS_OF_EACH; round++)
      for (const fault of shuffled(faultsOf(postgres, proxy))) {
        await watched.tryFault(fault, HOLD_MS)
        faults++
      }
    await watched.stop()
    expect(await missingFrom(api, watched.writes)).toEqual([])
    tell('pg-kill', { faults, acknowledged: watched.writes.acknowledged.length, ...watched.figures })
    expect(await node.end('SIGTERM'), node.stderr().slice(-2_000)).toEqual({ code: 0, signal: null })
  })

  it(`that fails over to another ${FAILOVERS} times under load loses nothing, and is served from again`, async () => {
    let primary = await start(program)
    let key: string | undefined
    const acknowledged: string[] = []
    const longest = { 'longest call in ms': 0, 'longest until it served again in ms': 0 }
    for (let failover = 0; failover < FAILOVERS; failover++) {
      const standby = await start(program, primary)
      await askPostgres(primary.url, "alter system set synchronous_standby_names = '*'")
      await askPostgres(primary.url, 'select pg_reload_conf()')
      await until(async () => (await askPostgres(primary.url, 'select sync_state from pg_stat_replication')) === 'sync')
      const both = primary.url.replace(/(?=\/postgres$)/, `,${new URL(standby.url).host}`)
      const node = await serve(nodeOn(`${both}?target_session_attrs=read-write`))
      key ??= (await node.diwan.company({ daily_calls: 1_000_000 })).key
      const api = node.diwan.api(key)
      const watched = watchDatabase(node, api)
      const lost = primary
      const endings = [
        () => lost.halt('SIGINT'),
        () => lost.halt('SIGQUIT'),
        () => lost.halt('SIGKILL'),
        async () => pause(lost.pid),
      ]
      const begin = endings[Math.floor(random() * endings.length)] as () => Promise<void>
      const end = () => askPostgres(standby.url, 'select pg_promote()')
      const name = `failover ${failover + 1}: ${begin}`
      await watched.tryFault({ name, isTotal: true, begin, end, servesWithinMs: FOUND_OUT_WITHIN_MS }, HOLD_MS)
      await watched.stop()
      acknowledged.push(...watched.writes.acknowledged)
      expect(await missingFrom(api, { ...watched.writes, acknowledged })).toEqual([])
      for (const fact of ['longest call in ms', 'longest until it served again in ms'] as const)
        longest[fact] = Math.max(longest[fact], watched.figures[fact])
      await node.end('SIGKILL')
      // An old primary that comes back must not take writes: a cluster manager sees to it that it does not.
      await lost.halt('SIGKILL')
      primary = standby
    }
    tell('pg-kill, failover', { failovers: FAILOVERS, acknowledged: acknowledged.length, ...longest })
  })
})
