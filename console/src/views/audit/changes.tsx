import type { ComponentChildren } from 'preact'
import type { AuditEntry, AuditField, AuditOperation, Plan, Right } from '../../api/types.ts'
import { useCatalog } from '../../api/use-catalog.ts'
import { useFrameWords } from '../../frame/words.ts'
import { Icon } from '../../parts/icon.tsx'
import { Figure, Name } from '../../parts/text.tsx'
import { useAccessWords } from '../../words/access.ts'
import { useCommonWords } from '../../words/common.ts'
import { LANGUAGES, useLanguage } from '../../words/language.ts'
import { useChangeWords } from './change-words.ts'
import { useOperationName } from './operation-name.ts'
import { useAuditWords } from './words.ts'

/** What happened to each field, in words. For most fields, only the fact that it changed is stored. */
export function Changes({ of: changes }: { of: AuditEntry['changes'] }) {
  const { fields } = useChangeWords()
  const language = useLanguage()
  const entries = Object.entries(changes) as [AuditField, { from: unknown; to: unknown } | null][]
  if (entries.length === 0) return <span class="quiet">—</span>
  const named = (field: AuditField) => fields[field] ?? field
  const kept = entries.filter(([, change]) => change !== null)
  const unkept = entries.filter(([, change]) => change === null).map(([field]) => named(field))
  return (
    <ul class="changes">
      {kept.map(([field, change]) => (
        <li key={field}>
          {named(field)}
          {change && <Change field={field} {...change} />}
        </li>
      ))}
      {unkept.length > 0 && (
        <li class="quiet">{new Intl.ListFormat(LANGUAGES[language].locale, { type: 'unit' }).format(unkept)}</li>
      )}
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
  const lists = [
    { name: t.added, values: to.filter(value => !from.includes(value)) },
    { name: t.removed, values: from.filter(value => !to.includes(value)) },
  ]
  return (
    <>
      {lists
        .filter(({ values }) => values.length > 0)
        .map(({ name, values }) => (
          <details key={name(0)}>
            <summary>{name(values.length)}</summary>
            <ul>
              {values.map(value => (
                <li key={String(value)}>{show(value)}</li>
              ))}
            </ul>
          </details>
        ))}
    </>
  )
}

/** How the values of a field are shown. */
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
