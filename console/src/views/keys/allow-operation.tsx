import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Key, Operation } from '../../api/types.ts'
import { useCatalog } from '../../api/use-catalog.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { say } from '../../parts/toast.tsx'
import { type Destructive, useAccessWords } from '../../words/access.ts'
import { stateOf } from './key-state.tsx'
import { isWithin } from './matrix.tsx'
import { useKeysWords } from './words.ts'

interface AllowOperationProps {
  /** The key that was denied, as it is now. */
  on: Key | undefined
  /** What it was denied. */
  operation: string
  onDone: () => void
}

/** The cure for a denial, where the key lacks the operation. What deletes is confirmed first; all of it can be undone. */
export function AllowOperation({ on: key, operation: name, onDone }: AllowOperationProps) {
  const t = useKeysWords()
  const { destroys } = useAccessWords()
  const { id: company } = useCompany()
  const { may } = useStanding()
  const [asked, setAsked] = useState(false)
  const operation = useCatalog().data?.operations.find(one => one.name === name)?.name
  if (!key || !operation || !may('updateKey') || !canBeAllowed(key, operation)) return null

  const set = (settings: Pick<Key, 'access' | 'operations'>) =>
    call('PATCH /companies/{company}/keys/{key}', { params: { company, key: key.id }, body: settings })
  const undo = async () => {
    await set({ access: key.access, operations: key.operations })
    onDone()
  }
  const allow = async () => {
    await set({
      access: isWithin(key.access, operation) ? key.access : 'write',
      operations: [...key.operations, operation],
    })
    say(t.allowed(operation), undo)
  }
  if (!isDestructive(operation))
    return (
      <p>
        <ActButton quiet act={allow} onDone={onDone}>
          {t.allow(operation)}
        </ActButton>
      </p>
    )
  return (
    <>
      <p>
        <Button quiet onClick={() => setAsked(true)}>
          {t.allow(operation)}
        </Button>
      </p>
      {asked && (
        <Confirm
          title={t.allow(operation)}
          verb={t.allowVerb}
          act={allow}
          onClose={() => setAsked(false)}
          onDone={onDone}
        >
          <p>{destroys[operation]}</p>
        </Confirm>
      )}
    </>
  )
}

function canBeAllowed(key: Key, operation: Operation): boolean {
  const state = stateOf(key)
  return !key.operations.includes(operation) && state !== 'revoked' && state !== 'expired'
}

const isDestructive = (operation: Operation): operation is Destructive => operation.endsWith(':destructive')
