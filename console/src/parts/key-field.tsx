import { useCollection } from '../api/use-collection.ts'
import { useCompany } from '../frame/standing.ts'
import { useCommonWords } from '../words/common.ts'
import { isolate } from '../words/language.ts'
import { offered, SelectField } from './form.tsx'

interface KeyFieldProps {
  label: string
  /** The id; empty for all keys. */
  value: string
  onChange: (id: string) => void
}

/** One of the company's keys, revoked ones included: what they did is still there. */
export function KeyField({ label, value, onChange }: KeyFieldProps) {
  const common = useCommonWords()
  const { id: company } = useCompany()
  const keys = useCollection('GET /companies/{company}/keys', { params: { company }, query: { limit: 100 } })
  const options = (keys.data ?? []).map(
    ({ id, name, last_four }) => [String(id), `${isolate(name)} (…${isolate(last_four)})`] as const,
  )
  return (
    <SelectField
      label={label}
      value={value}
      onChange={onChange}
      options={offered(common.all, value, options, `#${value}`)}
    />
  )
}
