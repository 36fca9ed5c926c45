import { href, useQuery } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import { TextField } from '../../parts/form.tsx'
import { Described } from './described.tsx'
import type { Endpoint } from './description.ts'
import { Method } from './method.tsx'
import { useExplorerWords } from './words.ts'

interface EndpointListProps {
  endpoints: Endpoint[]
  chosen: string | undefined
  onChoose: (id: string) => void
}

/** Every endpoint, by subject. During a search, everything that matches is expanded. */
export function EndpointList({ endpoints, chosen, onChoose }: EndpointListProps) {
  const t = useExplorerWords()
  const [wanted, setWanted] = useQuery('find')
  const words = wanted.toLowerCase().split(' ').filter(Boolean)
  const found = endpoints.filter(({ method, path, summary, id }) => {
    const text = `${method} ${path} ${summary} ${id}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
  return (
    <nav class="endpoint-list" aria-label={t.endpoints}>
      <TextField
        label={t.find}
        hint={t.findHint}
        type="search"
        value={wanted}
        onChange={setWanted}
        autoComplete="off"
      />
      {found.length === 0 && <p class="quiet">{t.noMatch}</p>}
      {[...Map.groupBy(found, ({ tag }) => tag)].map(([tag, group]) => (
        <details key={tag} open={words.length > 0 || group.some(({ id }) => id === chosen)}>
          <summary>
            <bdi>{tag}</bdi>
          </summary>
          <ul>
            {group.map(endpoint => (
              <li key={endpoint.id}>
                <Entry endpoint={endpoint} isChosen={endpoint.id === chosen} onChoose={onChoose} />
              </li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  )
}

interface EntryProps {
  endpoint: Endpoint
  isChosen: boolean
  onChoose: (id: string) => void
}

/** A link, so that it can be opened in a new tab or sent on; a click keeps the page and its key. */
function Entry({ endpoint: { id, method, summary, path }, isChosen, onChoose }: EntryProps) {
  const company = useCompany()
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    onChoose(id)
  }
  return (
    <a
      class="endpoint"
      href={href(`/companies/${company.id}/explorer?endpoint=${id}`)}
      aria-current={isChosen ? 'true' : undefined}
      title={path}
      onClick={follow}
    >
      <Method of={method} />
      <Described text={summary} />
    </a>
  )
}
