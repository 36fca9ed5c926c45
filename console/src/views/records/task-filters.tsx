import { go, useAddress } from '../../frame/address.ts'
import { Button } from '../../parts/button.tsx'
import { CheckField, Filters, SelectField, TextField } from '../../parts/form.tsx'
import { useCommonWords } from '../../words/common.ts'
import { AssigneesField, ProjectsField } from './choosing.tsx'
import type { TaskFilterValues, TaskState } from './task-query.ts'
import { useWorkWords } from './words.ts'
import '../../style/records.css'

/** The most common filters are always shown; the rest can be expanded, and is when the URL contains some of them. */
export function TaskFilters({ filters }: { filters: TaskFilterValues }) {
  const t = useWorkWords()
  const common = useCommonWords()
  const { path } = useAddress()
  const [state, setState] = filters.state
  const [sort, setSort] = filters.sort
  return (
    <div class="filter-block">
      <Filters>
        <SelectField
          label={common.state}
          value={state}
          onChange={setState}
          options={Object.entries(t.taskState) as [TaskState, string][]}
        />
        <AssigneesField value={filters.assignees} />
        <ProjectsField value={filters.projects} />
        <SelectField label={t.sort} value={sort} onChange={setSort} options={Object.entries(t.sorts)} />
      </Filters>
      <MoreTaskFilters filters={filters} />
      {filters.isSet && (
        <p>
          <Button quiet onClick={() => go(path, { replace: true })}>
            {common.clearFilters}
          </Button>
        </p>
      )}
    </div>
  )
}

function MoreTaskFilters({ filters }: { filters: TaskFilterValues }) {
  const t = useWorkWords()
  const { dueFrom, dueTo, updatedSince, completedSince, unassigned, archived } = filters
  const days = [
    [t.dueFrom, dueFrom],
    [t.dueTo, dueTo],
    [t.updatedSince, updatedSince],
    [t.completedSince, completedSince],
  ] as const
  const checks = [
    [t.unassigned, unassigned],
    [t.archivedToo, archived],
  ] as const
  return (
    <details open={[...days, ...checks].some(([, [value]]) => value !== '')}>
      <summary>{t.moreFilters}</summary>
      <Filters>
        {days.map(([label, [value, set]]) => (
          <TextField key={label} label={label} type="date" value={value} onChange={set} />
        ))}
      </Filters>
      <div class="row">
        {checks.map(([label, [value, set]]) => (
          <CheckField key={label} label={label} checked={value !== ''} onChange={on => set(on ? 'true' : '')} />
        ))}
      </div>
    </details>
  )
}
