import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Project } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { useLive } from '../../live/use-live.ts'
import { Button, Link } from '../../parts/button.tsx'
import { FailureNote } from '../../parts/failure.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Name, Prose } from '../../parts/text.tsx'
import { Day } from '../../parts/time.tsx'
import { isolate } from '../../words/language.ts'
import { useWorkAddresses } from './addresses.ts'
import { useEditingWords } from './editing-words.ts'
import { Metadata } from './metadata.tsx'
import { Archive, ProjectEditor } from './project-editor.tsx'
import { ProjectState } from './projects.tsx'
import { type Edited, useEdited } from './use-edited.ts'
import { useWorkWords } from './words.ts'
import '../../style/records.css'

interface ProjectPageProps {
  /** Its ref or slug, as in the address. */
  project: string
  children: (project: Project) => ComponentChildren
}

/** What stands above every part of a project. */
export function ProjectPage({ project, children }: ProjectPageProps) {
  const t = useWorkWords()
  const { id } = useCompany()
  const addresses = useWorkAddresses()
  const answer = useAnswer('GET /companies/{company}/records/projects/{project}', { params: { company: id, project } })
  useLive({ kinds: ['project'], id: answer.data?.data.id ?? project }, answer.reload)
  if (answer.data)
    return (
      <ShownProject stored={answer.data.data} handle={project}>
        {children}
      </ShownProject>
    )
  return (
    <Page title={t.project} above={{ to: addresses.projects, label: t.projects }}>
      <Loaded of={answer}>{() => null}</Loaded>
    </Page>
  )
}

interface ShownProjectProps {
  stored: Project
  handle: string
  children: ProjectPageProps['children']
}

function ShownProject({ stored, handle, children }: ShownProjectProps) {
  const t = useWorkWords()
  const addresses = useWorkAddresses()
  const project = useEdited(stored)
  const { shown } = project
  const [isEditing, setEditing] = useState(false)
  return (
    <Page
      title={isolate(shown.name)}
      heading={<Name>{shown.name}</Name>}
      above={{ to: addresses.projects, label: t.projects }}
      actions={<Actions project={project} isEditing={isEditing} setEditing={setEditing} />}
    >
      {isEditing && !shown.archived ? (
        <ProjectEditor project={project} />
      ) : (
        <>
          <About project={shown} />
          <FailureNote failure={project.failure} />
        </>
      )}
      <Parts project={shown} handle={handle} />
      {children(shown)}
    </Page>
  )
}

interface ActionsProps {
  project: Edited<Project>
  isEditing: boolean
  setEditing: (isEditing: boolean) => void
}

/** Of an archived project nothing can be changed but that. */
function Actions({ project, isEditing, setEditing }: ActionsProps) {
  const t = useEditingWords()
  const { may } = useStanding()
  if (project.shown.archived) return <Archive project={project} />
  if (!may('updateProject')) return null
  return (
    <Button icon={isEditing ? 'check' : 'edit'} aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
      {isEditing ? t.doneEditing : t.editProject}
    </Button>
  )
}

function About({ project }: { project: Project }) {
  const t = useWorkWords()
  const { may } = useStanding()
  const addresses = useWorkAddresses()
  const { description, start_date, end_date } = project
  return (
    <div class="about">
      <div class="row">
        <ProjectState of={project} />
        {(start_date || end_date) && (
          <span class="quiet">
            {start_date && (
              <>
                {t.from} <Day on={start_date} />
              </>
            )}{' '}
            {end_date && (
              <>
                {start_date ? t.to : t.until} <Day on={end_date} />
              </>
            )}
          </span>
        )}
        {may('listChanges') && <Link to={addresses.changes({ project: project.id })}>{t.changesHere}</Link>}
      </div>
      {description && <Prose>{description}</Prose>}
      <Metadata of={project.metadata} />
    </div>
  )
}

function Parts({ project, handle }: { project: Project; handle: string }) {
  const t = useWorkWords()
  const { may } = useStanding()
  const addresses = useWorkAddresses()
  const hasMembers = !project.is_public && may('listProjectMembers')
  return (
    <Tabs
      label={t.parts}
      tabs={[
        [addresses.project(handle), t.lists],
        [addresses.tasks({ project: project.id }), t.allTasks],
        [addresses.discussions(handle), t.discussions],
        [addresses.files(handle), t.files],
        ...(hasMembers ? [[addresses.members(project.id), t.members] as [string, string]] : []),
      ]}
    />
  )
}
