import type { AuditEntry } from '../../api/types.ts'
import { useStanding } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { Name } from '../../parts/text.tsx'
import { useAuditWords } from './words.ts'

/** What an entry is about, by the name it had then, with a link if it is still there and the reader may open it. */
export function TargetName({ of: entry }: { of: AuditEntry }) {
  const to = useAddress(entry)
  const name = <Name>{entry.target?.name}</Name>
  return to ? <Link to={to}>{name}</Link> : name
}

function useAddress({ target, operation, path }: AuditEntry): string | undefined {
  const { company, may } = useStanding()
  if (!target || operation === 'webhooks:destructive') return undefined
  const { type, id } = target
  if (type === 'company') return company || !may('listCompanies') ? undefined : `/companies/${id}`
  if (!company) return undefined
  const base = `/companies/${company.id}`
  if (type === 'key') return may('getKey') ? `${base}/keys/${id}` : undefined
  if (type === 'webhook') return may('getWebhook') ? `${base}/webhooks/${id}` : undefined
  if (type === 'user') return may('getUser') ? `${base}/people/${id}` : undefined
  // What was deleted is not there any more, except for what was taken out of the trash again.
  if (type === 'project' && operation === 'trash:write') return `${base}/projects/${id}`
  const person = /\/users\/(\d+)\/(?:tokens|sessions|sign-in-links)/.exec(path)?.[1]
  return person && may('getUser') ? `${base}/people/${person}` : undefined
}

/** The project that somebody was added to or removed from, which the path tells. */
export function ProjectOfMember({ of: { path } }: { of: AuditEntry }) {
  const t = useAuditWords()
  const { company, may } = useStanding()
  const project = /\/projects\/([^/]+)\/members/.exec(path)?.[1]
  if (!company || !project || !may('listProjectMembers')) return <>{t.aProject}</>
  return <Link to={`/companies/${company.id}/projects/${project}/members`}>{t.aProject}</Link>
}
