import type { ListChangesQuery } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { go, useAddress, useQuery } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { NothingYet } from '../../parts/nothing-yet.tsx'
import { Page } from '../../parts/page.tsx'
import { useCommonWords } from '../../words/common.ts'
import { ChangeFilters } from './change-filters.tsx'
import { ChangesLog } from './changes-log.tsx'
import { useChangesWords } from './words.ts'

/** What automations and people did: who wrote what, when, and with which key. */
export default function Changes() {
  const t = useChangesWords()
  const common = useCommonWords()
  const { id } = useCompany()
  const { path, query } = useAddress()
  const filters = {
    key_id: useQuery('key_id'),
    kind: useQuery('kind'),
    project: useQuery('project'),
    from: useQuery('from'),
    to: useQuery('to'),
  }
  const asked = Object.fromEntries(Object.entries(filters).map(([name, [value]]) => [name, value]))
  const changes = useCollection('GET /companies/{company}/changes', {
    params: { company: id },
    query: asked as ListChangesQuery,
  })
  const { total, totalIsLowerBound } = changes
  const found = total !== undefined && t.found(total)
  return (
    <Page title={t.title} lead={t.lead}>
      <ChangeFilters filters={filters} />
      <p class="row">
        {found && <span class="quiet">{totalIsLowerBound ? t.moreThan(found) : found}</span>}
        {query.size > 0 && (
          <Button quiet onClick={() => go(path, { replace: true })}>
            {common.clearFilters}
          </Button>
        )}
      </p>
      <LoadedCollection
        of={changes}
        empty={query.size > 0 ? t.noMatch : <NothingYet next="projects">{t.none}</NothingYet>}
      >
        {rows => <ChangesLog rows={rows} />}
      </LoadedCollection>
    </Page>
  )
}
