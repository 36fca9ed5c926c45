import { useState } from 'preact/hooks'
import { useCollection } from '../api/use-collection.ts'
import { useCompany } from '../frame/standing.ts'
import { useCommonWords } from '../words/common.ts'
import { isolate } from '../words/language.ts'
import { LoadingFailed } from './failure.tsx'
import { SelectField } from './form.tsx'
import { SearchField } from './search-field.tsx'

interface PersonFieldProps {
  label: string
  hint?: string
  /** Says that nobody is chosen. */
  nobody: string
  /** The id; empty for nobody. */
  value: string
  onChange: (id: string) => void
  problem?: string | undefined
  /** Those who cannot be chosen. */
  except?: number[]
  activeOnly?: boolean
}

/** Somebody of the company. Where there are more than fit in a list, they are searched for. */
export function PersonField({
  label,
  hint,
  nobody,
  value,
  onChange,
  problem,
  except = [],
  activeOnly,
}: PersonFieldProps) {
  const t = useCommonWords()
  const { id: company } = useCompany()
  const [q, setQ] = useState('')
  const people = useCollection('GET /companies/{company}/users', { params: { company }, query: { q, limit: 100 } })
  const everybody = useEverybody(people.total, q)
  const offered = (people.data ?? []).filter(({ id, active }) => !except.includes(id) && (active || !activeOnly))
  const options = offered.map(({ id, name, email }) => [String(id), `${isolate(name)} (${isolate(email)})`] as const)
  const isKnown = value === '' || options.some(([id]) => id === value)
  return (
    <>
      <LoadingFailed of={people} />
      {everybody > 100 && <SearchField label={`${t.search}: ${label}`} value={q} onChange={setQ} />}
      <SelectField
        label={label}
        hint={hint}
        problem={problem}
        value={value}
        onChange={onChange}
        options={[['', nobody] as const, ...(isKnown ? [] : [[value, `#${value}`] as const]), ...options]}
      />
    </>
  )
}

/** How many there are without a search: while one is typed, the answer counts only its results. */
function useEverybody(total: number | undefined, q: string): number {
  const [known, setKnown] = useState(0)
  if (q === '' && total !== undefined && total !== known) setKnown(total)
  return known
}
