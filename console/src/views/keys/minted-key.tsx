import { useState } from 'preact/hooks'
import type { CreatedKey, Operation } from '../../api/types.ts'
import { go } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import { NoApiNote, useNoApi } from '../../parts/api-note.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/page.tsx'
import { Copyable, ShownOnce } from '../../parts/secret.tsx'
import { carryKey } from '../explorer/carried-key.ts'
import { useKeysWords } from './words.ts'

/** Calls that need nothing but the key, by the operation that the key must be allowed. */
const SIMPLE_CALLS: [Operation, path: string, endpoint: string][] = [
  ['account:read', '/me', 'getAccount'],
  ['projects:read', '/projects', 'listProjects'],
  ['tasks:read', '/company/tasks', 'listCompanyTasks'],
  ['events:read', '/events', 'listEvents'],
]

/** A new key, shown once, and a call that works with it: as a command, or in the explorer. */
export function MintedKey({ of: key }: { of: CreatedKey }) {
  const t = useKeysWords()
  const { id } = useCompany()
  const noApi = useNoApi()
  const [isCopied, setCopied] = useState(false)
  const simple = SIMPLE_CALLS.find(([operation]) => key.operations.includes(operation))
  const carry = () => {
    carryKey({ key: key.key, isCopied })
    go(`/companies/${id}/explorer${simple ? `?endpoint=${simple[2]}` : ''}`, { anyway: true })
  }
  return (
    <div class="stack">
      <ShownOnce value={key.key} label={t.theKey} isKept={isCopied} onCopied={() => setCopied(true)} />
      <NoApiNote />
      {simple && !noApi && (
        <Card title={t.tryIt} actions={<Button onClick={carry}>{t.carry}</Button>}>
          <Copyable
            value={`curl -H 'Authorization: Bearer ${key.key}' '${location.origin}/api/v1${simple[1]}'`}
            label={t.curl}
            onCopied={() => setCopied(true)}
          />
        </Card>
      )}
      <p>
        <Button main onClick={() => go(`/companies/${id}/keys/${key.id}`)}>
          {t.toTheKey}
        </Button>
      </p>
    </div>
  )
}
