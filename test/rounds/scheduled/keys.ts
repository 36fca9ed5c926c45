import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import { createGate } from '../../../src/api/gate.ts'
import { digestOf } from '../../../src/domain/access/credentials.ts'
import { createKeyring } from '../../../src/domain/access/keyring.ts'
import { createQuota } from '../../../src/domain/access/quota.ts'
import { NOWHERE_ELSE } from '../../../src/domain/cells/elsewhere.ts'
import { ApiError } from '../../../src/domain/errors.ts'
import { UNTHROTTLED } from '../../../src/domain/ports/burst-throttle.ts'
import type { Reply, Request } from '../../../src/http/requests/request.ts'
import { SERVER_SECRET, type TestApp } from '../../support/app.ts'
import { seed } from '../../support/random.ts'
import { scheduled, scheduleStatements } from './scheduled-db.ts'

const NODES = 2
const CALLS = 8

/**
 * Two nodes remember a key, which is revoked while it is used. In whatever order statements are sent and answered, a call
 * that begins after the revocation was acknowledged is refused; and one that is served was counted.
 */
export async function expectNoRevokedKeyServed(app: TestApp, runs: number): Promise<void> {
  const { db, engine } = app.database
  const company = await app.diwan.company()
  const property = fc.asyncProperty(fc.scheduler(), fc.nat({ max: CALLS }), async (scheduler, before) => {
    const key = await app.diwan.key(company.id)
    const digest = digestOf(key, SERVER_SECRET)
    const own = scheduleStatements(db, scheduler)
    const gates = Array.from({ length: NODES }, () => gateOn(own, engine))
    let isRevoked = false
    const calls: { beganRevoked: boolean; isServed: boolean }[] = []
    const call = async (n: number) => {
      await scheduler.schedule(Promise.resolve(), `call ${n}`)
      const beganRevoked = isRevoked
      const isServed = await admitted(gates[n % NODES] as Gate, key)
      calls.push({ beganRevoked, isServed })
    }
    const revoke = async () => {
      await scheduled(scheduler, 'revocation', () =>
        db.run(sql`update api_keys set revoked_at = now() where digest = ${digest}`),
      )
      isRevoked = true
    }
    // Some come before, so that the key is remembered.
    await scheduler.waitFor(Promise.all(Array.from({ length: before }, (_, n) => call(n))))
    await scheduler.waitFor(Promise.all([revoke(), ...Array.from({ length: CALLS }, (_, n) => call(n))]))
    await scheduler.waitFor(Promise.all(Array.from({ length: NODES }, (_, n) => call(n))))
    expect(calls.filter(({ beganRevoked, isServed }) => beganRevoked && isServed)).toEqual([])
    expect(calls.slice(0, before).every(({ isServed }) => isServed)).toBe(true)
    expect(calls).toHaveLength(before + CALLS + NODES)
  })
  await fc.assert(property, { numRuns: runs, seed })
}

type Gate = ReturnType<typeof gateOn>

function gateOn(db: TestApp['database']['db'], engine: TestApp['database']['engine']) {
  return createGate({
    keyring: createKeyring(db, () => {}),
    spend: createQuota({ db, engine, replica: undefined } as Parameters<typeof createQuota>[0]),
    burst: UNTHROTTLED,
    countCalls: () => {},
    serverSecret: SERVER_SECRET,
    elsewhere: NOWHERE_ELSE,
  })
}

/** Whether the gate lets a call with the key in. */
async function admitted(gate: Gate, key: string): Promise<boolean> {
  const request = { headers: { authorization: `Bearer ${key}` }, ip: '127.0.0.1', operation: 'account:read' }
  const reply = { header: () => reply, raw: { once: () => {} } }
  try {
    await gate.admit({ operation: 'account:read' }, request as unknown as Request, reply as unknown as Reply)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthorized') return false
    throw error
  }
}
