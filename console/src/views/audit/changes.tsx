import type { ComponentChildren } from 'preact'
import type { AuditEntry, AuditField, AuditOperation, Plan, Right } from '../../api/types.ts'
import { useCatalog } from '../../api/use-catalog.ts'
import { useFrameWords } from '../../frame/words.ts'
import { Icon } from '../../parts/icon.tsx'
import { Code, Figure, Name } from '../../parts/text.tsx'
import { useAccessWords } from '../../words/access.ts'
import { useCommonWords } from '../../words/common.ts'
import { useLanguage } from '../../words/language.ts'
import { useChangeWords } from './change-words.ts'
import { useOperationName } from './operation-name.ts'
import { useAuditWords } from './words.ts'

/** What became of each field, in words. Of most only the fact is kept that it changed. */
export function Changes({ of: changes }: { of: AuditEntry['changes'] }) {
  const { fields } = useChangeWords()
  const entries = Object.entries(changes) as [AuditField, { from: unknown; to: unknown } | null][]
  if (entries.length === 0) return <span class="quiet">—</span>
  return (
    <ul class="changes">
      {entries.map(([field, change]) => (
        <li key={field}>
          {fields[field] ?? <Code>{field}</Code>}
          {change && <Change field={field} {...change} />}
        </li>
      ))}
    </ul>
  )
}

function Change({ field, from, to }: { field: AuditField; from: unknown; to: unknown }) {
  const common = useCommonWords()
  const show = useValue(field)
  if (Array.isArray(from) || Array.isArray(to))
    return <ListChange from={(from ?? []) as unknown[]} to={(to ?? []) as unknown[]} show={show} />
  return (
    <>
      {': '}
      {from !== null && (
        <>
          {show(from)} <Icon name="next" />
          <span class="read-out">{common.to}</span>{' '}
        </>
      )}
      <strong>{show(to)}</strong>
    </>
  )
}

interface ListChangeProps {
  from: unknown[]
  to: unknown[]
  show: (value: unknown) => ComponentChildren
}

function ListChange({ from, to, show }: ListChangeProps) {
  const t = useAuditWords()
  const lists: [string, unknown[]][] = [
    [t.added, to.filter(value => !from.includes(value))],
    [t.removed, from.filter(value => !to.includes(value))],
  ]
  return (
    <ul>
      {lists
        .filter(([, values]) => values.length > 0)
        .map(([label, values]) => (
          <li key={label}>
            <span class="quiet">{label}: </span>
            {values.map((value, n) => (
              <span key={String(value)}>
                {n > 0 && ' — '}
                {show(value)}
              </span>
            ))}
          </li>
        ))}
    </ul>
  )
}

/** Tells how the values of a field are shown. */
function useValue(field: AuditField): (value: unknown) => ComponentChildren {
  const t = useAuditWords()
  const common = useCommonWords()
  const language = useLanguage()
  const { roles } = useFrameWords()
  const { rights } = useAccessWords()
  const { access, subscriptions } = useChangeWords()
  const operationName = useOperationName()
  const plans = useCatalog().data?.plans
  const named: Partial<Record<AuditField, (value: string) => string | undefined>> = {
    role: value => roles[value as keyof typeof roles],
    access: value => access[value as keyof typeof access],
    subscription: value => subscriptions[value as keyof typeof subscriptions],
    rights: value => rights[value as Right]?.name,
    operations: value => operationName(value as AuditOperation),
    plan: value => plans?.find(({ name }) => name === (value as Plan))?.title[language],
  }
  return value => {
    if (value === null || value === undefined) return field === 'daily_calls' ? t.unlimited : common.none
    if (typeof value === 'boolean') return value ? common.yes : common.no
    if (typeof value === 'number') return <Figure>{value}</Figure>
    return named[field]?.(String(value)) ?? <Name>{String(value)}</Name>
  }
}
