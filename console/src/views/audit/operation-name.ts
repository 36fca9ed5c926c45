import type { AuditOperation } from '../../api/types.ts'
import { useOperationWords } from './operation-words.ts'

/** What an operation is called by itself, as in a list: `keys:write` is “Create or change API keys”. */
export function useOperationName(): (operation: AuditOperation) => string {
  const operations = useOperationWords()
  return operation => {
    const phrase = operations[operation] ?? operation
    return phrase.charAt(0).toUpperCase() + phrase.slice(1)
  }
}
