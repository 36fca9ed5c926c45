import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { serveOn } from '../support/both-engines.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { describeWith } from '../support/describe-with.ts'
import { newList } from '../support/factories.ts'
import { until } from '../support/servers.ts'

// The embedded database has only one session, so no statement waits for a lock there.
describeWith('postgres', 'A company', () => {
  it('whose writes wait for a lock gets 503, and leaves the reads, the writes and the probe of others alone', async () => {
    const { server, databaseUrl, end } = await serveOn('PostgreSQL')
    const busy = await server.diwan.company()
    const other = await server.diwan.company()
    const list = await newList(busy, (await server.diwan.project(busy)).id)
    const holder = new pg.Client(databaseUrl)
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from task_lists for update')
    let answered = 0
    const waiting = Array.from({ length: 60 }, async (_, n) => {
      const { status } = await busy.api.post(`/lists/${list.id}/tasks`, { title: `Task ${n}` })
      answered++
      return status
    })
    await until(async () => {
      const { rows } = await holder.query(`select count(*) from pg_stat_activity where wait_event_type = 'Lock'`)
      return Number(rows[0].count) > 0
    })
    const others = await Promise.all([
      other.api.get('/projects'),
      other.api.post('/projects', { name: 'Office move' }),
      server.diwan.client('').get('/ready'),
      busy.api.get('/projects'),
    ])
    expect(others.map(({ status }) => status)).toEqual([200, 201, 200, 200])
    // They did not have to wait for the calls that wait for the lock.
    expect(answered).toBeLessThan(60)
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([503]))
    await holder.query('rollback')
    await holder.end()

    // More than can be done in time: each call is done or refused.
    const many = Array.from({ length: 1_000 }, () => busy.api.post(`/lists/${list.id}/tasks`, { title: 'Many' }))
    const statuses = (await Promise.all(many)).map(({ status }) => status)
    expect(statuses.filter(status => status !== 201 && status !== 503)).toEqual([])
    const { body } = await busy.api.get(`/lists/${list.id}/tasks?limit=1`)
    expect(body.meta.total).toBe(statuses.filter(status => status === 201).length)
    await end()
  })

  it('whose reads are slow leaves connections for all that others do', async () => {
    const { url, drop } = await createPostgresDatabase()
    const { db, close } = await openPostgres(url, { poolSize: 10, onError: () => {} })
    const [busy, other] = [db.onBehalfOf(1), db.onBehalfOf(2)]
    const reads: Promise<unknown>[] = []
    let ended = 0
    for (let n = 0; n < 20; n++) {
      reads.push(
        busy
          .one(sql`select pg_sleep(3)`)
          .catch(() => {})
          .then(() => ended++),
      )
      // So long that the next one is not sent behind it.
      await sleep(30)
    }
    const quick = sql`select 1 as one`
    // That of nobody in particular is how a call is looked up.
    await Promise.all([db.one(quick), other.one(quick), other.transaction(tx => tx.one(quick))])
    expect(ended).toBe(0)
    await Promise.all(reads)
    await close()
    await drop()
  })
})
