import type { ComponentChildren } from 'preact'
import type { Project } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Name, Prose } from '../../parts/text.tsx'
import { Day } from '../../parts/time.tsx'
import { isolate } from '../../words/language.ts'
import { useWorkAddresses } from './addresses.ts'
import { ProjectState } from './projects.tsx'
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
  const name = answer.data?.data.name
  return (
    <Page
      title={name ? isolate(name) : t.project}
      heading={name ? <Name>{name}</Name> : t.project}
      above={{ to: addresses.projects, label: t.projects }}
    >
      <Loaded of={answer}>
        {({ data }) => (
          <>
            <About project={data} />
            <Parts project={data} handle={project} />
            {children(data)}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function About({ project }: { project: Project }) {
  const t = useWorkWords()
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
        <Link to={addresses.changes({ project: project.id })}>{t.changesHere}</Link>
      </div>
      {description && <Prose>{description}</Prose>}
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
