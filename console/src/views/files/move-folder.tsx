import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FailureNote } from '../../parts/failure.tsx'
import { Icon } from '../../parts/icon.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Name } from '../../parts/text.tsx'
import { say } from '../../parts/toast.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import type { FolderActProps } from './rename-folder.tsx'
import { useFilesWords } from './words.ts'

type Step = { id: number; name: string }

/** Goes down the folders to where the folder is to be. Into itself it cannot go, so it is not among them. */
export function MoveFolder({ project, folder, onClose, onChanged }: FolderActProps) {
  const t = useFilesWords()
  const common = useCommonWords()
  const { id: company } = useCompany()
  const [way, setWay] = useState<Step[]>([])
  const here = way.at(-1)
  const action = useAction(async () => {
    await call('PATCH /companies/{company}/records/projects/{project}/folders/{folder}', {
      params: { company, project, folder: folder.id },
      body: { parent_folder_id: here?.id ?? null },
    })
    say(t.moved(isolate(folder.name)))
    onChanged()
    onClose()
  })
  const isThereAlready = (here?.id ?? null) === folder.parent_folder_id
  return (
    <Dialog title={t.moveTitle} onClose={onClose}>
      <div class="stack">
        <p>
          <strong>
            <Name>{folder.name}</Name>
          </strong>
        </p>
        <nav class="path" aria-label={t.moveTo}>
          <ol>
            <li>
              <Button quiet onClick={() => setWay([])}>
                {t.top}
              </Button>
            </li>
            {way.map((step, index) => (
              <li key={step.id}>
                <Icon name="next" />
                <Button quiet onClick={() => setWay(way.slice(0, index + 1))}>
                  <Name>{step.name}</Name>
                </Button>
              </li>
            ))}
          </ol>
        </nav>
        <Below project={project} parent={here?.id} except={folder.id} onEnter={step => setWay([...way, step])} />
        <FailureNote failure={action.failure} />
        <div class="form-actions">
          <Button main busy={action.busy} disabled={isThereAlready} onClick={action.run}>
            {t.moveHere}
          </Button>
          <Button onClick={onClose}>{common.cancel}</Button>
        </div>
      </div>
    </Dialog>
  )
}

interface BelowProps {
  project: string
  parent: number | undefined
  except: number
  onEnter: (step: Step) => void
}

function Below({ project, parent, except, onEnter }: BelowProps) {
  const t = useFilesWords()
  const { id: company } = useCompany()
  const folders = useCollection('GET /companies/{company}/records/projects/{project}/folders', {
    params: { company, project },
    query: { parent_folder_id: parent },
  })
  const others = folders.data?.filter(({ id }) => id !== except)
  return (
    <LoadedCollection of={{ ...folders, data: others }} empty={t.noFoldersInside}>
      {rows => (
        <ul class="choices-below">
          {rows.map(({ id, name }) => (
            <li key={id}>
              <Button quiet icon="folder" aria-label={t.opens(isolate(name))} onClick={() => onEnter({ id, name })}>
                <Name>{name}</Name>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </LoadedCollection>
  )
}
