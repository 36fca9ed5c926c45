import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { useLive } from '../../live/use-live.ts'
import { Link } from '../../parts/button.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Name } from '../../parts/text.tsx'
import { useWorkAddresses } from '../records/addresses.ts'
import { useHomeWords } from './words.ts'

/** The projects that the reader can open: a few, and the way to all of them. */
export function MyProjects() {
  const t = useHomeWords()
  const { id: company } = useCompany()
  const { may } = useStanding()
  const addresses = useWorkAddresses()
  const projects = useCollection('GET /companies/{company}/records/projects', {
    params: { company },
    query: { limit: 8 },
  })
  useLive({ kinds: ['project', 'task_list', 'task'] }, projects.reload)
  return (
    <Card title={t.projects} actions={<Link to={addresses.projects}>{t.allProjects}</Link>}>
      <LoadedCollection
        of={{ ...projects, more: undefined }}
        empty={may('createProject') ? t.noProjectsLeader : t.noProjects}
      >
        {rows => (
          <ul class="my-projects">
            {rows.map(({ id, name, tasks_count }) => (
              <li key={id}>
                <Link to={addresses.project(id)}>
                  <Name>{name}</Name>
                </Link>
                <span class="quiet">{t.tasks(tasks_count)}</span>
              </li>
            ))}
          </ul>
        )}
      </LoadedCollection>
    </Card>
  )
}
