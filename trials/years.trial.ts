import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { AGED_TABLES, KEPT } from '../src/domain/upkeep/retention.ts'
import { STEPS } from '../src/jobs/upkeep/steps.ts'
import { mixedRound, newTally } from '../test/rounds/mixed-load.ts'
import { DATABASE_ENGINES } from '../test/support/both-engines.ts'
import { describeWith } from '../test/support/describe-with.ts'
import { created, type TestCompany } from '../test/support/diwan.ts'
import { newDiscussion } from '../test/support/factories.ts'
import { type MailServer, startMailServer } from '../test/support/mail-server.ts'
import { type Backup, memoryOf, metricOf, rowsIn, TELLS_ITS_MEMORY, takeBackup } from '../test/support/measured.ts'
import { type MovedClock, startMovedClock } from '../test/support/moved-clock.ts'
import { EXPANSIONS, previousRelease, releaseWith } from '../test/support/releases.ts'
import {
  type Env,
  newFolder,
  OPERATOR_TOKEN,
  SERVER_SECRET,
  type ServerProcess,
  serve,
} from '../test/support/server-process.ts'
import { type StartedPostgres, startPostgres, until } from '../test/support/servers.ts'
import { rounds, tell } from '../test/support/trial.ts'

/** How far the clock is moved at a time: by a week, or by four months. */
const STEP_DAYS = rounds(122, 7)
const STEPS_IN_ALL = Math.ceil((3 * 366) / STEP_DAYS)
const ROUNDS_A_STEP = rounds(1, 4)
/** The first third runs on the release before, the second on this one, the last on one that has added something. */
const UPGRADED_AT = [Math.floor(STEPS_IN_ALL / 3), Math.floor((2 * STEPS_IN_ALL) / 3)]
/** By then the last server has been up for a while. */
const SETTLED_AT = Math.floor((5 * STEPS_IN_ALL) / 6)
const DAY_MS = 86_400_000
const HEAP_MAY_GROW_BYTES = 6_000_000

const stops: (() => unknown)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
})

/** A record as it was answered when it was written, by its address. */
type Written = Map<string, unknown>

describeWith(['compiler', 'postgres'], 'Three years of a busy company', ({ compiler, postgres }) => {
  it.each(DATABASE_ENGINES)(
    `on %s, in ${STEPS_IN_ALL} steps: every schedule runs, sizes follow the retention, and no record is lost`,
    {
      timeout: 7_200_000,
    },
    async engine => {
      const clock = startMovedClock(compiler)
      stops.push(clock.close)
      const mail = await startMailServer({ passingOverInvitations: true })
      const env = await installation(engine, clock, mail, postgres)
      const releases = [previousRelease(), undefined, releaseWith('the next release', EXPANSIONS)]
      let server = await start(env, releases[0]?.main)
      const company = await server.diwan.company({ daily_calls: 1_000_000 })
      await server.diwan.person(company.id)
      const project = (await server.diwan.project(company, { is_public: true })).id
      const firstCursor = (await company.api.get('/company/changes')).body.meta.next_cursor
      const closed = await server.diwan.company()
      const { name } = (await server.diwan.operator.get(`/companies/${closed.id}`)).body.data
      expect((await server.diwan.operator.post(`/companies/${closed.id}/close`, { name })).status).toBe(200)

      const written: Written = new Map()
      const tally = newTally()
      const heaps: number[] = []
      let mails = 0
      for (let step = 0; step < STEPS_IN_ALL; step++) {
        if (UPGRADED_AT.includes(step)) {
          expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
          server = await start(env, releases[UPGRADED_AT.indexOf(step) + 1]?.main)
        }
        const { diwan } = server
        const here: TestCompany = {
          ...company,
          api: diwan.api(company.key),
          admin: diwan.admin(company.id, company.ownerToken),
        }
        for (let n = 0; n < ROUNDS_A_STEP; n++) await mixedRound(diwan, here, project, tally)
        await write(here, project, `${step}`, written)
        await newDiscussion(here, project)
        await until(async () => mail.received.length > mails)
        mails = mail.received.length
        await until(async () => (await metricOf(server, 'diwan_jobs_waiting', OPERATOR_TOKEN)) === 0)
        clock.moveOn(STEP_DAYS)
        await everyScheduleHasRun(server, clock.now())
        expect(await metricOf(server, 'diwan_upkeep_failures', OPERATOR_TOKEN), server.stderr()).toBe(0)
        expect(await metricOf(server, 'diwan_jobs_failed', OPERATOR_TOKEN)).toBe(0)
        if (step === SETTLED_AT || step === STEPS_IN_ALL - 1) heaps.push((await memoryOf(server)).heap)
      }

      const backup = await takeBackup(env)
      expect(AGED_TABLES.flatMap(table => keptTooLong(backup, table, clock.now()))).toEqual([])
      const keptForATime = AGED_TABLES.reduce((sum, table) => sum + (backup.rows.get(table) as number), 0)
      expect(keptForATime).toBeGreaterThan(0)
      const [settled, last] = heaps as [number, number]
      expect(tally.refused).toEqual([])
      expect(mails).toBe(STEPS_IN_ALL)
      expect(last - settled).toBeLessThan(HEAP_MAY_GROW_BYTES)
      const api = server.diwan.api(company.key)
      for (const [address, record] of written) expect((await api.get(address)).body, address).toEqual(record)
      expect(filesIn(env)).toBe(STEPS_IN_ALL)
      expect((await api.get(`/company/changes?after=${firstCursor}`)).status).toBe(410)
      expect((await server.diwan.operator.get(`/companies/${closed.id}`)).status).toBe(404)
      tell('years', {
        ...{ engine, steps: STEPS_IN_ALL, 'days each': STEP_DAYS, records: written.size, mails },
        ...{ 'rows kept for a time': keptForATime, heap: `${(last / 1e6).toFixed(1)} MB` },
      })
      await server.end('SIGTERM')
    },
  )
})

async function installation(engine: string, clock: MovedClock, mail: MailServer, program: string): Promise<Env> {
  const env: Env = {
    ...{ DATA_DIR: newFolder(), DEMO: 'off', SERVER_SECRET, OPERATOR_TOKEN, BURST_PER_MINUTE: '0' },
    ...{ SMTP_URL: mail.url, MAIL_FROM: 'Diwan <diwan@example.com>', ...clock.env },
  }
  if (engine === 'embedded') return env
  const postgres: StartedPostgres = await startPostgres(program, undefined, { env: clock.env })
  stops.push(() => postgres.stop())
  return { ...env, DATABASE_URL: postgres.url }
}

const start = (env: Env, main?: string) => serve({ ...env, ...TELLS_ITS_MEMORY }, [], main)

/** One of each kind of record that has an address of its own, as the API shows it. */
async function write({ api }: TestCompany, project: string, name: string, written: Written): Promise<void> {
  const list = (await created(api.post(`/projects/${project}/lists`, { title: `قائمة ${name}` }))).data
  const task = (await created(api.post(`/lists/${list.id}/tasks`, { title: `Kept ${name}`, notes: name }))).data
  await created(api.post(`/tasks/${task.id}/comments`, { content: `On a task ${name}` }))
  const file = (await created(api.post(`/projects/${project}/files`, { name: `${name}.txt`, content: name }))).data
  const address = `/projects/${project}/files/${file.ref}`
  await until(async () => (await api.get(address)).body.data.scan_state === 'clean')
  for (const path of [
    `/lists/${list.id}`,
    `/tasks/${task.id}`,
    `/tasks/${task.id}/comments`,
    address,
    `${address}/download`,
  ])
    written.set(path, (await api.get(path)).body)
}

/** The clock closes idle connections too, so each question comes on a connection of its own. */
async function everyScheduleHasRun({ url }: ServerProcess, since: number): Promise<void> {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, connection: 'close' }
  let late: string[] = []
  await until(async () => {
    const metrics = await fetch(`${url}/metrics`, { headers })
      .then(answer => answer.text())
      .catch(() => '')
    const done = new Map(
      [...metrics.matchAll(/^diwan_upkeep_done_timestamp_seconds\{step="(\w+)"\} (\S+)$/gm)].map(([, step, at]) => [
        step,
        Number(at),
      ]),
    )
    late = STEPS.map(({ name }) => name).filter(name => (done.get(name) ?? 0) * 1000 < since - 1000)
    return late.length === 0
  }, 180_000).catch(() => expect.fail(`Not done when they were due: ${late.join(', ')}`))
}

/** The rows that should have gone, with a day for dates, which begin at different moments. */
function keptTooLong(backup: Backup, table: (typeof AGED_TABLES)[number], now: number): string[] {
  const { from, days } = KEPT.forDays[table]
  const oldest = now - (days + 1) * DAY_MS
  return rowsIn(backup, table).flatMap(row => {
    const at = Date.parse(String(row[from]))
    return at < oldest ? [`${table}: ${row[from]}`] : []
  })
}

const filesIn = ({ DATA_DIR }: Env) =>
  readdirSync(join(DATA_DIR as string, 'files'), { recursive: true, withFileTypes: true }).filter(entry =>
    entry.isFile(),
  ).length
