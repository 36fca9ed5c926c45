import { useAnswer } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Filters, FromTo, SelectField } from '../../parts/form.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import { useRecordKinds } from '../../words/record-kinds.ts'
import { ProjectsField } from '../records/choosing.tsx'
import { useChangesWords } from './words.ts'

type Value = [value: string, set: (value: string) => void]

interface ChangeFiltersProps {
  filters: Record<'key_id' | 'kind' | 'project' | 'from' | 'to', Value>
}

export function ChangeFilters({ filters: { key_id, kind, project, from, to } }: ChangeFiltersProps) {
  const t = useChangesWords()
  const kinds = useRecordKinds()
  const { may } = useStanding()
  return (
    <div class="filter-block">
      <Filters>
        {may('listKeys') && <KeyField value={key_id} />}
        <SelectField
          label={t.kind}
          value={kind[0]}
          onChange={kind[1]}
          options={[['', t.allKinds], ...Object.entries(kinds).map(([name, { several }]) => [name, several] as const)]}
        />
        <ProjectsField value={[project[0] ? [project[0]] : [], values => project[1](values.at(-1) ?? '')]} />
        <FromTo from={from} to={to} />
      </Filters>
    </div>
  )
}

/** The keys, including revoked ones: what they did stays. */
function KeyField({ value: [value, set] }: { value: Value }) {
  const t = useChangesWords()
  const common = useCommonWords()
  const { id } = useCompany()
  const { data } = useAnswer('GET /companies/{company}/keys', { params: { company: id }, query: { limit: 100 } })
  const keys = (data?.data ?? []).map(({ id, name }) => [String(id), isolate(name)] as const)
  const isListed = value === '' || keys.some(([known]) => known === value)
  return (
    <SelectField
      label={t.key}
      value={value}
      onChange={set}
      options={[['', common.all], ...keys, ...(isListed ? [] : [[value, `#${value}`] as const])]}
    />
  )
}
