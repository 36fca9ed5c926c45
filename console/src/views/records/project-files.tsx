import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { File, Folder } from '../../api/types.ts'
import { usePages } from '../../api/use-collection.ts'
import { asId, useQuery } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { FilesTable, FoldersTable, Upwards } from './files-tables.tsx'
import { ProjectPage } from './project-page.tsx'
import { useWorkWords } from './words.ts'

/** The folders and files of a project, a level at a time; the folder is in the URL. */
export default function ProjectFiles({ params: { project = '' } }: ViewProps) {
  const [folder] = useQuery('folder')
  return <ProjectPage project={project}>{({ id }) => <Level key={folder} project={id} folder={folder} />}</ProjectPage>
}

interface Listing {
  folder: Folder | null
  folders: Folder[]
}

/** Folders are not paginated but files are: the first page includes the folders. */
function Level({ project, folder }: { project: string; folder: string }) {
  const t = useWorkWords()
  const { id } = useCompany()
  const [listing, setListing] = useState<Listing>()
  const files = usePages<File>(
    async (signal, cursor) => {
      const { data, meta } = await call('GET /companies/{company}/records/projects/{project}/files', {
        params: { company: id, project },
        query: { folder_id: asId(folder), limit: 50, cursor },
        signal,
      })
      if (!cursor) setListing(data)
      return { data: data.files, meta }
    },
    [id, project, folder],
  )
  const isEmpty = listing?.folders.length === 0
  return (
    <div class="stack">
      {listing?.folder && <Upwards from={listing.folder} project={project} />}
      {listing && !isEmpty && <FoldersTable rows={listing.folders} project={project} />}
      <LoadedCollection of={files} empty={isEmpty ? (folder ? t.noFiles : t.noFilesAtAll) : t.noFilesHere}>
        {rows => <FilesTable rows={rows} project={project} />}
      </LoadedCollection>
    </div>
  )
}
