import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { openJobQueue } from '../../src/adapters/job-queue.ts'
import { type Database, openPostgres } from '../../src/db/postgres.ts'
import type { JobKind, JobQueue } from '../../src/domain/ports/job-queue.ts'
import { retryFailed } from '../../src/domain/upkeep/stored-jobs.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { describeWith } from '../support/describe-with.ts'
import { POSTGRES_TEMPLATE, until } from '../support/servers.ts'

describeWith('postgres', 'A worker that hears of jobs which another process adds', () => {
  let [adding, working]: Database[] = []
  let [server, worker]: JobQueue[] = []
  let drop: () => Promise<void>
  const woken: JobKind[] = []

  beforeAll(async () => {
    const database = await createPostgresDatabase(POSTGRES_TEMPLATE)
    drop = database.drop
    const open = () => openPostgres(database.url, { poolSize: 4, onError: () => {} })
    ;[adding, working] = [await open(), await open()]
    ;[server, worker] = [await openJobQueue(adding, fail), await openJobQueue(working, fail)]
    for (const kind of ['scan-file', 'remove-list'] as const) worker.onNews(kind, () => woken.push(kind))
    await until(isHearing)
  })
  afterEach(() => {
    vi.useRealTimers()
    woken.length = 0
  })
  afterAll(async () => {
    await Promise.all([server?.close(), worker?.close()])
    await Promise.all([adding?.close(), working?.close()])
    await drop?.()
  })

  function fail(error: Error): never {
    throw error
  }

  const isHearing = async () => working?.signals?.isHearing() === true

  const add = (kind: 'scan-file' | 'remove-list', isKept = true) =>
    adding?.db.transaction(async tx => {
      const payload = { company_id: 1, file_id: 1, task_list_id: 1 }
      await server?.enqueue(tx, kind, [payload])
      if (!isKept) throw new Error('Rolled back')
    })

  const take = (kind: JobKind) => worker?.take(kind, 0, [])

  it('is woken when a write is committed, or a failed job is to be tried again; of what is rolled back it hears nothing', async () => {
    await expect(add('remove-list', false)).rejects.toThrow('Rolled back')
    await add('scan-file')
    await until(async () => woken.length > 0)
    expect(woken).toEqual(['scan-file'])
    const { id, payload } = (await take('scan-file')) ?? {}
    expect(payload?.company_id).toBe(1)
    await working?.pool.query(`update pgboss.job set state = 'failed' where id = $1`, [id])
    woken.length = 0
    await adding?.db.transaction(tx => retryFailed(tx, id as string))
    await until(async () => woken.length > 0)
    expect((await take('scan-file'))?.id).toBe(id)
    await worker?.complete('scan-file', id as string)
  })

  it('looks for itself while its connection is lost, and hears again when it has another', async () => {
    await adding?.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen diwan_jobs'`)
    await until(async () => !(await isHearing()))
    await add('scan-file')
    let job: Awaited<ReturnType<typeof take>>
    await until(async () => {
      job = await take('scan-file')
      return job !== undefined
    })
    await worker?.complete('scan-file', job?.id as string)
    await until(isHearing)
    await add('remove-list')
    await until(async () => woken.includes('remove-list'))
    await worker?.complete('remove-list', (await take('remove-list'))?.id as string)
  })

  it('does not ask the database for jobs again and again while there are none', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const asked = vi.spyOn(working?.pool as Database['pool'], 'query')
    for (let ms = 0; ms < 60_000; ms += 500) {
      await take('scan-file')
      vi.advanceTimersByTime(500)
    }
    const looks = asked.mock.calls.filter(([statement]) => (statement as { name?: string }).name === 'due-kinds')
    // One in ten seconds, in case that something was missed, and one after each look for jobs of workers that died.
    expect(looks.length).toBeLessThanOrEqual(12)
    asked.mockRestore()
  })
})
