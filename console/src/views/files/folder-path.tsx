import { call } from '../../api/call.ts'
import type { Folder } from '../../api/types.ts'
import { useLoading } from '../../api/use-answer.ts'
import { useCompany } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Name } from '../../parts/text.tsx'
import { useWorkAddresses } from '../records/addresses.ts'
import { useFilesWords } from './words.ts'

/** Where a folder is, with a link to each folder above it. */
export function FolderPath({ folder, project }: { folder: Folder; project: string }) {
  const t = useFilesWords()
  const addresses = useWorkAddresses()
  const above = useFoldersAbove(project, folder)
  return (
    <nav class="path" aria-label={t.path}>
      <ol>
        <li>
          <Link to={addresses.files(project)}>{t.top}</Link>
          <Icon name="next" />
        </li>
        {above.map(({ id, name }) => (
          <li key={id}>
            <Link to={addresses.files(project, id)}>
              <Name>{name}</Name>
            </Link>
            <Icon name="next" />
          </li>
        ))}
        <li aria-current="page">
          <Name>{folder.name}</Name>
        </li>
      </ol>
    </nav>
  )
}

/** A folder knows only the one above it, so they are asked for one after another. */
function useFoldersAbove(project: string, folder: Folder): Folder[] {
  const { id: company } = useCompany()
  const loading = useLoading(
    async signal => {
      const above: Folder[] = []
      for (let id = folder.parent_folder_id; id !== null; id = (above[0] as Folder).parent_folder_id) {
        const params = { company, project, folder: id }
        const { data } = await call('GET /companies/{company}/records/projects/{project}/folders/{folder}', {
          params,
          signal,
        })
        above.unshift(data)
      }
      return above
    },
    [company, project, folder.id, folder.path],
  )
  return loading.data ?? []
}
