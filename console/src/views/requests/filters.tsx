import type { ListRequestsQuery } from '../../api/types.ts'
import { useCatalog } from '../../api/use-catalog.ts'
import { asId, setQuery, useAddress } from '../../frame/address.ts'
import { Filters, FromTo, offered, SelectField } from '../../parts/form.tsx'
import { KeyField } from '../../parts/key-field.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useRequestsWords } from './words.ts'

const NAMES = ['request_id', 'key_id', 'status', 'method', 'operation', 'from', 'to'] as const
type FilterName = (typeof NAMES)[number]
type Values = Record<FilterName, string>

export interface RequestFilters {
  values: Values
  /** The query for the server. */
  query: Pick<ListRequestsQuery, FilterName>
  isFiltered: boolean
  clear: () => void
}

/** The filters are in the URL, under the server's names for them. */
export function useRequestFilters(): RequestFilters {
  const { query } = useAddress()
  const values = Object.fromEntries(NAMES.map(name => [name, query.get(name) ?? ''])) as Values
  const { key_id, ...texts } = values
  return {
    values,
    query: { ...(texts as RequestFilters['query']), key_id: asId(key_id) },
    isFiltered: NAMES.some(name => values[name] !== ''),
    clear: () => setQuery(Object.fromEntries(NAMES.map(name => [name, []]))),
  }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
/** What programs meet most; any other can be written into the URL. */
const STATUSES = ['401', '403', '404', '409', '412', '422', '429']

export function RequestFilterFields({ of: { values } }: { of: RequestFilters }) {
  const t = useRequestsWords()
  const common = useCommonWords()
  const catalog = useCatalog().data
  const set = (name: FilterName) => (value: string) => setQuery({ [name]: value.trim() ? [value.trim()] : [] })
  const same = (texts: readonly string[]) => texts.map(text => [text, text] as const)
  return (
    <div class="stack">
      <div class="narrow">
        <SearchField label={t.find} hint={t.findHint} code value={values.request_id} onChange={set('request_id')} />
      </div>
      <Filters>
        <KeyField label={t.key} value={values.key_id} onChange={set('key_id')} />
        <SelectField
          label={t.status}
          value={values.status}
          onChange={set('status')}
          options={offered(common.all, values.status, [...Object.entries(t.statuses), ...same(STATUSES)])}
        />
        <SelectField
          label={t.method}
          value={values.method}
          onChange={set('method')}
          options={offered(common.all, values.method, same(METHODS))}
        />
        <SelectField
          label={t.operation}
          value={values.operation}
          onChange={set('operation')}
          options={offered(common.all, values.operation, same((catalog?.operations ?? []).map(({ name }) => name)))}
        />
        <FromTo from={[values.from, set('from')]} to={[values.to, set('to')]} />
      </Filters>
    </div>
  )
}
