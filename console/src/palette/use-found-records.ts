import { useEffect, useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import type { SearchResult } from '../api/types.ts'
import { useLoading } from '../api/use-answer.ts'
import { go } from '../frame/address.ts'
import { useStanding } from '../frame/standing.ts'
import type { IconName } from '../parts/icon.tsx'
import { addressesIn } from '../views/records/addresses.ts'
import { ADDRESSES } from '../views/search/hit.tsx'
import { useRecordKinds } from '../words/record-kinds.ts'
import type { Entry } from './entries.ts'

const PAUSE_MS = 150
const A_FEW = 4

const ICONS: Record<SearchResult['type'], IconName> = {
  project: 'projects',
  task_list: 'tasks',
  task: 'check',
  discussion: 'people',
  folder: 'folder',
  file: 'files',
}

/** The records whose names are like what was typed. Those found before stay until there are others. */
export function useFoundRecords(typed: string): { records: Entry[]; isAsking: boolean } {
  const kinds = useRecordKinds()
  const { company, may } = useStanding()
  const q = useSettled(typed.trim())
  const [found, setFound] = useState<{ q: string; results: SearchResult[] }>({ q: '', results: [] })
  const asking = useLoading(
    async signal => {
      if (!company || !may('search') || q === '') return setFound({ q, results: [] })
      const query = { q, per_type: A_FEW }
      const { data } = await call('GET /companies/{company}/records/search', {
        params: { company: company.id },
        query,
        signal,
      })
      setFound({ q, results: data.results })
    },
    [company?.id, q],
  )
  const addresses = addressesIn(company?.id ?? 0)
  const records = found.results.map(hit => ({
    id: `${hit.type} ${hit.id ?? hit.folder_id}`,
    group: kinds[hit.type].several,
    label: hit.title ?? hit.name ?? '',
    about: hit.type === 'project' ? undefined : hit.project_slug,
    icon: ICONS[hit.type],
    names: [],
    run: () => go(ADDRESSES[hit.type]({ id: '', ...hit }, addresses)),
  }))
  return { records, isAsking: !asking.failure && found.q !== typed.trim() }
}

/** The text once the typing pauses. */
function useSettled(text: string): string {
  const [settled, settle] = useState(text)
  useEffect(() => {
    const timer = setTimeout(settle, PAUSE_MS, text)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
