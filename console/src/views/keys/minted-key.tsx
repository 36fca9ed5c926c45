import type { CreatedKey, Operation } from '../../api/types.ts'
import { useCompany } from '../../frame/standing.ts'
import { Button, Link } from '../../parts/button.tsx'
import { Card } from '../../parts/page.tsx'
import { Copyable, ShownOnce } from '../../parts/secret.tsx'
import { useKeysWords } from './words.ts'

/** Calls that need nothing but the key, by the operation that the key must be allowed. */
const SIMPLE_CALLS: [Operation, path: string][] = [
  ['account:read', '/me'],
  ['projects:read', '/projects'],
  ['tasks:read', '/company/tasks'],
  ['events:read', '/events'],
]

/** A new key, shown once, and a call that works with it. */
export function MintedKey({ of: key, onDone }: { of: CreatedKey; onDone: () => void }) {
  const t = useKeysWords()
  const { id } = useCompany()
  const path = SIMPLE_CALLS.find(([operation]) => key.operations.includes(operation))?.[1]
  return (
    <div class="stack">
      <ShownOnce value={key.key} label={t.theKey} />
      {path && (
        <Card title={t.tryIt} actions={<Link to={`/companies/${id}/explorer`}>{t.tryInExplorer}</Link>}>
          <Copyable
            value={`curl -H 'Authorization: Bearer ${key.key}' '${location.origin}/api/v1${path}'`}
            label={t.curl}
          />
        </Card>
      )}
      <p>
        <Button main onClick={onDone}>
          {t.toTheKey}
        </Button>
      </p>
    </div>
  )
}
