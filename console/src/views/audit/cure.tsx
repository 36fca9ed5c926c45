import type { ComponentChildren } from 'preact'
import { CallFailed, call } from '../../api/call.ts'
import type { AuditEntry, Key } from '../../api/types.ts'
import { useLoading } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { AllowOperation } from '../keys/allow-operation.tsx'

/** What would have let a key do what it was denied. For that, each key among the entries is looked up as it is now. */
export function useCure(entries: AuditEntry[]): (entry: AuditEntry) => ComponentChildren {
  const { id: company } = useCompany()
  const { may } = useStanding()
  const mayCure = may('getKey') && may('updateKey')
  const denied = mayCure ? [...new Set(entries.map(deniedKey).filter(id => id !== undefined))] : []
  const keys = useLoading(
    async signal => Promise.all(denied.map(id => findKey(company, id, signal))),
    [company, denied],
  )
  return entry => {
    const id = deniedKey(entry)
    return (
      id !== undefined && (
        <AllowOperation on={keys.data?.find(key => key?.id === id)} operation={entry.operation} onDone={keys.reload} />
      )
    )
  }
}

function deniedKey({ outcome, by }: AuditEntry): number | undefined {
  return outcome === 'denied' && by.kind === 'key' && by.id !== null ? by.id : undefined
}

/** Undefined for one that is gone: there is nothing to cure then. */
async function findKey(company: number, key: number, signal: AbortSignal): Promise<Key | undefined> {
  try {
    return (await call('GET /companies/{company}/keys/{key}', { params: { company, key }, signal })).data
  } catch (error) {
    if (error instanceof CallFailed && error.status === 404) return undefined
    throw error
  }
}
