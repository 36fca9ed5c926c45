import { useState } from 'preact/hooks'
import { filesAddress } from '../../api/file-addresses.ts'
import type { Project } from '../../api/types.ts'
import { useQuery } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { say } from '../../parts/toast.tsx'
import { isolate } from '../../words/language.ts'
import { ProjectPage } from '../records/project-page.tsx'
import { useWorkWords } from '../records/words.ts'
import { AddBar, type Adding } from './add-bar.tsx'
import { AddingForm } from './adding-form.tsx'
import { FilesTable } from './files-table.tsx'
import { FolderPath } from './folder-path.tsx'
import { FoldersTable } from './folders-table.tsx'
import { UploadList } from './upload-list.tsx'
import { useIncomingFiles } from './use-incoming-files.ts'
import { useLevel } from './use-level.ts'
import { useUploads } from './use-uploads.ts'
import { useFilesWords } from './words.ts'
import '../../style/files.css'

/** The folders and files of a project, a level at a time; the folder is in the URL. */
export default function ProjectFiles({ params: { project = '' } }: ViewProps) {
  return <ProjectPage project={project}>{project => <Files project={project} />}</ProjectPage>
}

function Files({ project }: { project: Project }) {
  const t = useFilesWords()
  const work = useWorkWords()
  const { id: company } = useCompany()
  const { may } = useStanding()
  const [folder] = useQuery('folder')
  const level = useLevel(project.id, folder)
  const isMissing = level.files.failure?.status === 404
  const canAdd = may('uploadFile') && !project.archived && !isMissing
  const [adding, setAdding] = useState<Adding>()
  /** A Markdown file that was dropped while a document is being written. */
  const [dropped, setDropped] = useState<File>()

  const uploads = useUploads(filesAddress(company, project.id), file => {
    say(t.stored(isolate(file.name)))
    level.files.reload()
  })
  const take = (files: File[]) => {
    const [only, ...others] = files
    if (adding === 'document' && only && others.length === 0 && isMarkdown(only)) setDropped(only)
    else uploads.add(files, folder)
  }
  const isOver = useIncomingFiles(canAdd, take)
  const done = () => {
    setAdding(undefined)
    setDropped(undefined)
    level.files.reload()
  }
  const isEmpty = level.folders.length === 0
  const place = level.folder ? isolate(level.folder.name) : t.top
  return (
    <div class="stack files">
      {level.folder && <FolderPath folder={level.folder} project={project.id} />}
      {canAdd && <AddBar adding={adding} setAdding={setAdding} take={take} />}
      {canAdd && adding && (
        <AddingForm what={adding} project={project.id} folder={folder} dropped={dropped} onDone={done} />
      )}
      <UploadList uploads={uploads} />
      {!isEmpty && <FoldersTable project={project} rows={level.folders} onChanged={level.files.reload} />}
      <p role="status" class="quiet scans">
        {level.pending > 0 && t.scansPending(level.pending)}
      </p>
      <LoadedCollection
        of={level.files}
        empty={
          <>
            <p>{isEmpty ? (folder ? work.noFiles : work.noFilesAtAll) : work.noFilesHere}</p>
            {canAdd && <p>{t.emptyHere}</p>}
          </>
        }
      >
        {rows => <FilesTable project={project} rows={rows} onChanged={level.files.reload} />}
      </LoadedCollection>
      {isOver && <div class="drop">{t.dropInto(place)}</div>}
    </div>
  )
}

const isMarkdown = ({ name }: File) => /\.(?:md|markdown|mdown|mkd|txt)$/i.test(name)
