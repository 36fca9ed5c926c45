import { useEffect, useRef, useState } from 'preact/hooks'
import type { Folder, Project } from '../../api/types.ts'
import { useStanding } from '../../frame/standing.ts'
import { Button, Link } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Name } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import { useWorkAddresses } from '../records/addresses.ts'
import { useWorkWords } from '../records/words.ts'
import { DeleteFolder } from './delete-folder.tsx'
import { MoveFolder } from './move-folder.tsx'
import { RenameFolder } from './rename-folder.tsx'
import { useFilesWords } from './words.ts'

interface FoldersTableProps {
  project: Project
  rows: Folder[]
  onChanged: () => void
}

type Doing = { what: 'rename' | 'move' | 'delete'; folder: Folder }

/** The folders of a level, which are renamed in place. */
export function FoldersTable({ project, rows, onChanged }: FoldersTableProps) {
  const t = useWorkWords()
  const common = useCommonWords()
  const [doing, setDoing] = useState<Doing>()
  /** The field that had the focus is gone after this, so it goes back to where it came from. */
  const [returnsTo, setReturnsTo] = useState<number>()
  const end = () => {
    setReturnsTo(doing?.what === 'rename' ? doing.folder.id : undefined)
    setDoing(undefined)
  }
  const place = { project: project.id, onClose: end, onChanged }
  const isRenamed = ({ id }: Folder) => doing?.what === 'rename' && doing.folder.id === id
  const columns: Column<Folder>[] = [
    {
      title: t.folder,
      main: true,
      show: folder =>
        isRenamed(folder) ? <RenameFolder folder={folder} {...place} /> : <Way folder={folder} project={project.id} />,
    },
    { title: common.created, show: ({ created_at }) => <Time at={created_at} /> },
    {
      title: common.actions,
      actions: true,
      show: folder =>
        !isRenamed(folder) && (
          <Actions project={project} folder={folder} setDoing={setDoing} isBack={folder.id === returnsTo} />
        ),
    },
  ]
  return (
    <>
      <Table label={t.folders} rows={rows} keyOf={({ id }) => id} columns={columns} />
      {doing?.what === 'move' && <MoveFolder folder={doing.folder} {...place} />}
      {doing?.what === 'delete' && <DeleteFolder folder={doing.folder} {...place} />}
    </>
  )
}

function Way({ folder: { id, name }, project }: { folder: Folder; project: string }) {
  const addresses = useWorkAddresses()
  return (
    <span class="with-icon">
      <Icon name="folder" />
      <Link to={addresses.files(project, id)}>
        <Name>{name}</Name>
      </Link>
    </span>
  )
}

interface ActionsProps {
  project: Project
  folder: Folder
  setDoing: (doing: Doing) => void
  /** It was just renamed. */
  isBack: boolean
}

function Actions({ project, folder, setDoing, isBack }: ActionsProps) {
  const t = useFilesWords()
  const { may } = useStanding()
  const rename = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isBack) rename.current?.focus()
  }, [])
  if (project.archived) return null
  const name = isolate(folder.name)
  const act = (what: Doing['what']) => () => setDoing({ what, folder })
  return (
    <span class="row-actions">
      {may('updateFolder') && (
        <Button quiet ref={rename} aria-label={t.renameThis(name)} onClick={act('rename')}>
          {t.rename}
        </Button>
      )}
      {may('updateFolder') && (
        <Button quiet aria-label={t.moveThis(name)} onClick={act('move')}>
          {t.move}
        </Button>
      )}
      {may('deleteFolder') && (
        <Button quiet class="dangerous" aria-label={t.deleteThis(name)} onClick={act('delete')}>
          {t.deleteVerb}
        </Button>
      )}
    </span>
  )
}
