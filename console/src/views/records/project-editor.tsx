import { call } from '../../api/call.ts'
import type { Project, UpdateProjectBody } from '../../api/types.ts'
import { go } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Link } from '../../parts/button.tsx'
import { FailureNote } from '../../parts/failure.tsx'
import { SelectField } from '../../parts/form.tsx'
import { say } from '../../parts/toast.tsx'
import { useWorkAddresses } from './addresses.ts'
import { DayField, DraftField } from './draft-field.tsx'
import { useEditingWords } from './editing-words.ts'
import type { Edited } from './use-edited.ts'
import '../../style/work.css'

/** Everything about a project that its leaders can change, each field stored when it is left. */
export function ProjectEditor({ project }: { project: Edited<Project> }) {
  const t = useEditingWords()
  const { id: company } = useCompany()
  const { shown, failure, change } = project
  const params = { company, project: shown.id }
  const save = (fields: UpdateProjectBody) =>
    change(
      fields as Partial<Project>,
      async () => (await call('PATCH /companies/{company}/records/projects/{project}', { params, body: fields })).data,
    )
  return (
    <div class="stack editor">
      <fieldset class="task-fields" aria-label={t.editProject}>
        <div class="wide">
          <DraftField
            label={t.name}
            place={`project/${shown.id}/name`}
            value={shown.name}
            required
            onSave={name => save({ name })}
          />
        </div>
        <div class="wide">
          <DraftField
            label={t.description}
            place={`project/${shown.id}/description`}
            hint={t.savedAsYouGo}
            long
            value={shown.description ?? ''}
            onSave={description => save({ description: description || null })}
          />
        </div>
        <DayField label={t.starts} value={shown.start_date} onSave={start_date => save({ start_date })} />
        <DayField label={t.ends} value={shown.end_date} onSave={end_date => save({ end_date })} />
        <Visibility project={shown} save={save} />
      </fieldset>
      <FailureNote failure={failure} />
      <div class="row">
        <Archive project={project} />
        <Delete project={shown} />
      </div>
    </div>
  )
}

interface VisibilityProps {
  project: Project
  save: (fields: UpdateProjectBody) => Promise<boolean>
}

function Visibility({ project: { id, is_public }, save }: VisibilityProps) {
  const t = useEditingWords()
  const { may } = useStanding()
  const addresses = useWorkAddresses()
  const members = !is_public && may('addProjectMember') && <Link to={addresses.members(id)}>{t.chooseMembers}</Link>
  return (
    <SelectField
      label={t.seenBy}
      hint={
        is_public ? undefined : (
          <>
            {t.seesAll} {members}
          </>
        )
      }
      value={is_public ? 'public' : 'private'}
      onChange={value => save({ is_public: value === 'public' })}
      options={[
        ['public', t.everyone],
        ['private', t.membersOnly],
      ]}
    />
  )
}

/** Archives a project, or brings it back: each takes the other back. */
export function Archive({ project: { shown, change } }: { project: Edited<Project> }) {
  const t = useEditingWords()
  const { id: company } = useCompany()
  const { may } = useStanding()
  const { archived, name } = shown
  if (!may(archived ? 'unarchiveProject' : 'archiveProject')) return null
  const turn = async (isArchived: boolean) => {
    const path = `POST /companies/{company}/records/projects/{project}/${isArchived ? 'archive' : 'unarchive'}` as const
    const isStored = await change(
      { archived: isArchived },
      async () => (await call(path, { params: { company, project: shown.id } })).data,
    )
    if (isStored) say(isArchived ? t.archived(name) : t.unarchived(name), () => turn(!isArchived))
  }
  return (
    <>
      <ActButton icon="archive" act={() => turn(!archived)}>
        {archived ? t.unarchive : t.archive}
      </ActButton>
      {!archived && <span class="hint">{t.archiveMeans}</span>}
    </>
  )
}

/** It can be restored, so nobody is asked first. */
function Delete({ project: { id: project, name } }: { project: Project }) {
  const t = useEditingWords()
  const { id: company } = useCompany()
  const { may } = useStanding()
  const addresses = useWorkAddresses()
  if (!may('deleteProject')) return null
  const restore = async () => {
    await call('POST /companies/{company}/trash/{ref}/restore', { params: { company, ref: project } })
    go(addresses.project(project))
  }
  const remove = async () => {
    await call('DELETE /companies/{company}/records/projects/{project}', { params: { company, project } })
    go(addresses.projects)
    say(t.deleted(name), may('restoreRecord') ? restore : undefined)
  }
  return (
    <span class="dangerous-end">
      <ActButton quiet icon="trash" act={remove}>
        {t.deleteProject}
      </ActButton>
    </span>
  )
}
