import type { AuditOutcome, DoerKind, ListAuditEntriesQuery } from '../../api/types.ts'
import { useCatalog } from '../../api/use-catalog.ts'
import { asId, useQuery } from '../../frame/address.ts'
import { useStanding } from '../../frame/standing.ts'
import { Filters, FromTo, offered, SelectField } from '../../parts/form.tsx'
import { KeyField } from '../../parts/key-field.tsx'
import { PersonField } from '../../parts/person-field.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useOperationName } from './operation-name.ts'
import { useAuditWords } from './words.ts'

const NAMES = ['outcome', 'operation', 'by_kind', 'by_id', 'key_id', 'target_id', 'from', 'to'] as const
type FilterName = (typeof NAMES)[number]

export interface AuditFilters {
  /** The query for the server. */
  query: Pick<ListAuditEntriesQuery, FilterName>
  values: Record<FilterName, string>
  set: (name: FilterName, value: string) => void
  isFiltered: boolean
  clear: () => void
}

/** The filters are in the URL, under the server's names for them. */
export function useAuditFilters(): AuditFilters {
  const parts = NAMES.map(name => [name, useQuery(name)] as const)
  const values = Object.fromEntries(parts.map(([name, [value]]) => [name, value])) as Record<FilterName, string>
  const { by_id, key_id, ...texts } = values
  const setters = Object.fromEntries(parts.map(([name, [, set]]) => [name, set])) as Record<
    FilterName,
    (value: string) => void
  >
  return {
    query: { ...(texts as AuditFilters['query']), by_id: asId(by_id), key_id: asId(key_id) },
    values,
    set: (name, value) => setters[name](value),
    isFiltered: NAMES.some(name => values[name] !== ''),
    clear: () => NAMES.map(name => setters[name]('')),
  }
}

export function AuditFilterFields({ filters: { values, set } }: { filters: AuditFilters }) {
  const t = useAuditWords()
  const common = useCommonWords()
  const catalog = useCatalog().data
  const operationName = useOperationName()
  const operations = (catalog?.audit_operations ?? [])
    .map(operation => [operation as string, operationName(operation)] as const)
    .sort(([, one], [, other]) => one.localeCompare(other))
  return (
    <Filters>
      <SelectField
        label={t.outcome}
        value={values.outcome}
        onChange={value => set('outcome', value)}
        options={withAll(common.all, values.outcome, catalog?.audit_outcomes, (one: AuditOutcome) => t.outcomes[one])}
      />
      <SelectField
        label={t.operation}
        value={values.operation}
        onChange={value => set('operation', value)}
        options={offered(common.all, values.operation, operations)}
      />
      <SelectField
        label={t.by}
        value={values.by_kind}
        onChange={value => {
          set('by_kind', value)
          set('by_id', '')
        }}
        options={withAll(t.anybody, values.by_kind, catalog?.audit_by_kinds, (one: DoerKind) => t.kinds[one])}
      />
      <Doer kind={values.by_kind} value={values.by_id} onChange={value => set('by_id', value)} />
      <SearchField label={t.target} value={values.target_id} onChange={value => set('target_id', value)} />
      <FromTo from={[values.from, value => set('from', value)]} to={[values.to, value => set('to', value)]} />
    </Filters>
  )
}

function withAll<V extends string>(all: string, value: string, known: V[] | undefined, name: (value: V) => string) {
  return offered(
    all,
    value,
    (known ?? []).map(one => [one, name(one)] as const),
  )
}

interface DoerProps {
  kind: string
  value: string
  onChange: (id: string) => void
}

/** Who exactly it was, where there are several to choose from. */
function Doer(props: DoerProps) {
  const t = useAuditWords()
  const { may, company } = useStanding()
  if (!company) return null
  if (props.kind === 'person' && may('listUsers'))
    return <PersonField label={t.byPerson} nobody={t.anybody} {...props} />
  if (props.kind === 'key' && may('listKeys')) return <KeyField label={t.byKey} {...props} />
  return null
}
