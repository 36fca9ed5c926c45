import type { SearchResult } from '../../api/types.ts'
import { Link } from '../../parts/button.tsx'
import { Badge, Name } from '../../parts/text.tsx'
import { useWorkAddresses, type WorkAddresses } from '../records/addresses.ts'
import { useSearchWords } from './words.ts'

type AddressOf = (hit: SearchResult & { id: string }, addresses: WorkAddresses) => string

/** What is searched, and where a hit of each kind is shown. */
export const ADDRESSES: Record<SearchResult['type'], AddressOf> = {
  project: ({ id }, addresses) => addresses.project(id),
  task_list: ({ id, project_slug }, addresses) => addresses.list(project_slug, id),
  task: ({ id }, addresses) => addresses.task(id),
  discussion: ({ id, project_slug }, addresses) => addresses.discussion(project_slug, id),
  folder: ({ project_slug, folder_id }, addresses) => addresses.files(project_slug, folder_id),
  file: ({ id, project_slug }, addresses) => addresses.file(project_slug, id),
}

/** Something that was found, with the way to it. */
export function Hit({ of: hit }: { of: SearchResult }) {
  const t = useSearchWords()
  const address = ADDRESSES[hit.type]({ id: '', ...hit }, useWorkAddresses())
  return (
    <li>
      <Link to={address}>
        <Name>{hit.title ?? hit.name}</Name>
      </Link>
      {hit.type !== 'project' && (
        <span class="quiet">
          <Name>{hit.project_slug}</Name>
        </span>
      )}
      {hit.archived && <Badge tone="warn">{t.archived}</Badge>}
      {hit.completed && <Badge tone="good">{t.completed}</Badge>}
    </li>
  )
}
