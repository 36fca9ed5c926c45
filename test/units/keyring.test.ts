import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Db } from '../../src/db/db.ts'
import type { Caller } from '../../src/domain/access/caller.ts'
import { createKeyring } from '../../src/domain/access/keyring.ts'

const DIGEST = Buffer.from('the digest of a key')

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2027-01-01T12:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A keyring on a database that holds this one key, or none. */
function keyringWith(expires_at: string | null = null) {
  const caller = { company: { id: 1 }, key: { id: 2, expires_at }, is_here: true } as unknown as Caller
  const stored: { caller: Caller | undefined; uses: number } = { caller, uses: 0 }
  const db = {
    maybe: async () => stored.caller,
    run: async () => {
      stored.uses++
    },
  } as unknown as Db
  return { keyring: createKeyring(db, () => {}), caller, stored }
}

describe('A key', () => {
  it('is remembered once it was loaded, and no longer when it is gone', async () => {
    const { keyring, caller, stored } = keyringWith()
    expect(keyring.remembered(DIGEST)).toBeUndefined()
    expect(await keyring.load(DIGEST)).toBe(caller)
    expect(keyring.remembered(DIGEST)).toBe(caller)
    expect(keyring.remembered(Buffer.from('another'))).toBeUndefined()
    stored.caller = undefined
    expect(await keyring.load(DIGEST)).toBeUndefined()
    expect(keyring.remembered(DIGEST)).toBeUndefined()
  })

  it('of a company that another cell serves is not remembered', async () => {
    const { keyring, caller } = keyringWith()
    Object.assign(caller, { is_here: false })
    expect(await keyring.load(DIGEST)).toBe(caller)
    expect(keyring.remembered(DIGEST)).toBeUndefined()
  })

  it('that nobody has is not remembered', async () => {
    const { keyring, stored } = keyringWith()
    stored.caller = undefined
    await keyring.load(DIGEST)
    expect(keyring.remembered(DIGEST)).toBeUndefined()
  })

  it('is not remembered from the moment at which it expires', async () => {
    const { keyring, caller } = keyringWith('2027-01-01T12:01:00Z')
    await keyring.load(DIGEST)
    vi.advanceTimersByTime(59_999)
    expect(keyring.remembered(DIGEST)).toBe(caller)
    vi.advanceTimersByTime(1)
    expect(keyring.remembered(DIGEST)).toBeUndefined()
  })

  it('that is used is written down once a minute', () => {
    const { keyring, caller, stored } = keyringWith()
    for (let n = 0; n < 3; n++) keyring.touch(caller)
    expect(stored.uses).toBe(1)
    vi.advanceTimersByTime(61_000)
    keyring.touch(caller)
    expect(stored.uses).toBe(2)
  })
})
