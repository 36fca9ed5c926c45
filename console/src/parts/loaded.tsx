import type { ComponentChildren } from 'preact'
import type { Loading } from '../api/use-answer.ts'
import type { Collection } from '../api/use-collection.ts'
import { useCommonWords } from '../words/common.ts'
import { Button } from './button.tsx'
import { LoadingFailed } from './failure.tsx'

interface LoadedProps<T> {
  of: Loading<T>
  children: (data: T) => ComponentChildren
}

/** Something that is being loaded, in each of its states: a view only says what it shows once it is loaded. */
export function Loaded<T>({ of, children }: LoadedProps<T>) {
  return (
    <>
      <LoadingFailed of={of} />
      {of.data !== undefined ? children(of.data) : !of.failure && <Skeleton />}
    </>
  )
}

interface LoadedCollectionProps<T> {
  of: Collection<T>
  /** Shown when there is nothing. */
  empty?: ComponentChildren
  children: (rows: T[]) => ComponentChildren
}

export function LoadedCollection<T>({ of, empty, children }: LoadedCollectionProps<T>) {
  const t = useCommonWords()
  return (
    <Loaded of={of}>
      {rows => (
        <>
          {rows.length === 0 ? <div class="empty">{empty ?? t.nothing}</div> : children(rows)}
          {of.more && (
            <p class="centred">
              <Button onClick={of.more} busy={of.loadingMore}>
                {t.more}
              </Button>
            </p>
          )}
        </>
      )}
    </Loaded>
  )
}

function Skeleton() {
  const t = useCommonWords()
  return (
    <div class="skeleton" role="status" aria-label={t.loading}>
      <span />
      <span />
      <span />
    </div>
  )
}
