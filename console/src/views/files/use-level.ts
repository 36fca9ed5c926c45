import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Folder, StoredFile } from '../../api/types.ts'
import { type Collection, usePages } from '../../api/use-collection.ts'
import { asId } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import { useLive } from '../../live/use-live.ts'
import { useAskAgain } from './use-ask-again.ts'

export interface Level {
  /** The folder itself; null at the top, and undefined until it is known. */
  folder: Folder | null | undefined
  folders: Folder[]
  files: Collection<StoredFile>
  /** How many of the files that are shown wait for their virus scan. */
  pending: number
}

/** One level of the folders of a project. Folders are not paginated but files are: the first page includes the folders. */
export function useLevel(project: string, folder: string): Level {
  const { id: company } = useCompany()
  const [listing, setListing] = useState<{ of: string; folder: Folder | null; folders: Folder[] }>()
  const files = usePages<StoredFile>(
    async (signal, cursor) => {
      const { data, meta } = await call('GET /companies/{company}/records/projects/{project}/files', {
        params: { company, project },
        query: { folder_id: asId(folder), limit: 50, cursor },
        signal,
      })
      if (!cursor) setListing({ ...data, of: folder })
      return { data: data.files, meta }
    },
    [company, project, folder],
  )
  const pending = (files.data ?? []).filter(({ scan_state }) => scan_state === 'pending').length
  useAskAgain(pending, files.reload)
  useLive({ kinds: ['file', 'folder'], project }, files.reload)
  const shown = listing?.of === folder ? listing : undefined
  return { folder: shown?.folder, folders: shown?.folders ?? [], files, pending }
}
