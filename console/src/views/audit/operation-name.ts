import type { AuditOperation } from '../../api/types.ts'
import { useAccessWords } from '../../words/access.ts'
import { useAuditWords } from './words.ts'

/** What an operation is called: `users:write` is "People · Write". */
export function useOperationName(): (operation: AuditOperation) => string {
  const { resources: ofKeys, levels } = useAccessWords()
  const { resources } = useAuditWords()
  const named: Record<string, string> = { ...ofKeys, ...resources }
  return operation => {
    const [resource, level] = operation.split(':') as [string, keyof typeof levels]
    return `${named[resource] ?? resource} · ${levels[level] ?? level}`
  }
}
