import { call } from '../../api/call.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCompany } from '../../frame/standing.ts'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Name } from '../../parts/text.tsx'
import { say } from '../../parts/toast.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import type { FolderActProps } from './rename-folder.tsx'
import { useFilesWords } from './words.ts'

/** Says what is in the folder before it is deleted for good. Only the name of an empty one need not be typed. */
export function DeleteFolder({ project, folder, onClose, onChanged }: FolderActProps) {
  const t = useFilesWords()
  const common = useCommonWords()
  const { id: company } = useCompany()
  const params = { company, project }
  const level = useAnswer('GET /companies/{company}/records/projects/{project}/files', {
    params,
    query: { folder_id: folder.id, limit: 1 },
  })
  if (!level.data)
    return (
      <Dialog title={t.deleteFolderTitle} onClose={onClose}>
        <Loaded of={level}>{() => null}</Loaded>
      </Dialog>
    )
  const [folders, files] = [level.data.data.folders.length, level.data.meta.total]
  const isEmpty = folders + files === 0
  const remove = async () => {
    await call('DELETE /companies/{company}/records/projects/{project}/folders/{folder}', {
      params: { ...params, folder: folder.id },
    })
    say(t.deleted(isolate(folder.name)))
  }
  return (
    <Confirm
      title={t.deleteFolderTitle}
      verb={t.deleteVerb}
      act={remove}
      onClose={onClose}
      onDone={onChanged}
      {...(!isEmpty && { typed: folder.name })}
    >
      <p>
        <strong>
          <Name>{folder.name}</Name>
        </strong>
      </p>
      <p>
        {isEmpty ? t.folderIsEmpty : t.folderHolds(t.folders(folders), t.files(files))}{' '}
        {isEmpty ? common.cannotBeUndone : t.deleteFolderMeans}
      </p>
    </Confirm>
  )
}
