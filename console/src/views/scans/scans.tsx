import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { ScannedFile, ScanState } from '../../api/types.ts'
import { useCatalog } from '../../api/use-catalog.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useQuery } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { Filters, SelectField } from '../../parts/form.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { NothingYet } from '../../parts/nothing-yet.tsx'
import { Page } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { say } from '../../parts/toast.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useScanColumns } from './columns.tsx'
import { useScanWords } from './words.ts'

/** While a scan is pending, its result is expected soon. */
const SOON_MS = 4_000

/** Files with what their virus scan found. */
export default function Scans() {
  const t = useScanWords()
  const common = useCommonWords()
  const { id: company } = useCompany()
  const [state, setState] = useQuery('state')
  const [awaited, setAwaited] = useState(false)
  const files = useCollection(
    'GET /companies/{company}/files',
    { params: { company }, query: { scan_state: state as ScanState } },
    awaited ? SOON_MS : undefined,
  )
  useEffect(() => setAwaited(files.data?.some(({ scan_state }) => scan_state === 'pending') ?? false), [files.data])
  const columns = useScanColumns(async ({ ref, name }: ScannedFile) => {
    await call('POST /companies/{company}/files/{ref}/scan', { params: { company, ref } })
    say(t.scanning(name))
    files.reload()
  })
  const states = useCatalog().data?.scan_states ?? []
  const nothing = state ? (
    <>
      <p>{common.noMatch}</p>
      <Button onClick={() => setState('')}>{common.clearFilters}</Button>
    </>
  ) : (
    <NothingYet next="projects">{t.empty}</NothingYet>
  )
  return (
    <Page title={t.title} lead={t.lead}>
      <Filters>
        <SelectField
          label={t.state}
          value={state}
          onChange={setState}
          options={[['', common.all] as const, ...states.map(one => [one as string, t.states[one]] as const)]}
        />
      </Filters>
      <LoadedCollection of={files} empty={nothing}>
        {rows => <Table label={t.title} columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </LoadedCollection>
    </Page>
  )
}
