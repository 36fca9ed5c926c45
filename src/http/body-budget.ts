import { NoRoom } from '../db/bulkhead.ts'

/**
 * Limits how many bytes of request bodies are held at one time, with a share for each company. Bytes are counted as they
 * arrive, so that a body which is announced but not sent uses none of it.
 */
export interface BodyBudget {
  open(companyId: number): BodyAccount
}

/** The bytes that one body holds. */
export interface BodyAccount {
  /** Undefined when the bytes fit; else resolves when they do, or rejects with `NoRoom` when that takes too long. */
  take(bytes: number): Promise<void> | undefined
  /** Returns all bytes to the budget, and ends a wait. May be called more than once. */
  close(): void
}

export interface BodyBudgetLimits {
  totalBytes: number
  companyBytes: number
  waitAtMostMs: number
}

interface Account {
  companyId: number
  held: number
  waiting: { bytes: number; admit(): void; leave(): void } | undefined
}

export function createBodyBudget({ totalBytes, companyBytes, waitAtMostMs }: BodyBudgetLimits): BodyBudget {
  // In order of age: bytes that become free go to the oldest waiting body, until it is complete.
  const accounts = new Set<Account>()
  const heldBy = new Map<number, number>()
  let held = 0
  /** May continue even when nothing is left: otherwise incomplete bodies could all wait for each other. */
  let exempt: Account | undefined

  function fits(account: Account, bytes: number): boolean {
    if (account === exempt) return true
    return held + bytes <= totalBytes && (heldBy.get(account.companyId) ?? 0) + bytes <= companyBytes
  }

  function hold(account: Account, bytes: number): void {
    if (account === exempt) return
    account.held += bytes
    held += bytes
    heldBy.set(account.companyId, (heldBy.get(account.companyId) ?? 0) + bytes)
  }

  function giveBack(account: Account): void {
    const rest = (heldBy.get(account.companyId) ?? 0) - account.held
    if (rest > 0) heldBy.set(account.companyId, rest)
    else heldBy.delete(account.companyId)
    held -= account.held
    account.held = 0
  }

  function admitWaiting(): void {
    for (const account of accounts) {
      if (!account.waiting) continue
      exempt ??= account
      if (fits(account, account.waiting.bytes)) account.waiting.admit()
    }
  }

  function wait(account: Account, bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        account.waiting = undefined
      }
      const timer = setTimeout(() => {
        leave()
        reject(new NoRoom(`There was no room for the body within ${waitAtMostMs} ms`))
      }, waitAtMostMs)
      const admit = () => {
        leave()
        hold(account, bytes)
        resolve()
      }
      account.waiting = { bytes, admit, leave }
      admitWaiting()
    })
  }

  return {
    open(companyId) {
      const account: Account = { companyId, held: 0, waiting: undefined }
      accounts.add(account)
      return {
        take(bytes) {
          if (!fits(account, bytes)) return wait(account, bytes)
          hold(account, bytes)
        },
        close() {
          if (!accounts.delete(account)) return
          account.waiting?.leave()
          giveBack(account)
          if (exempt === account) exempt = undefined
          admitWaiting()
        },
      }
    },
  }
}
