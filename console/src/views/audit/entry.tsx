import type { ComponentChildren } from 'preact'
import type { AuditEntry, AuditField } from '../../api/types.ts'
import { useStanding } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { Doer } from '../../parts/doer.tsx'
import { Sentence } from '../../parts/sentence.tsx'
import { Facts } from '../../parts/table.tsx'
import { Badge, Code, Name, Told } from '../../parts/text.tsx'
import { useDeedWords } from '../../words/deeds.ts'
import { LANGUAGES, useLanguage } from '../../words/language.ts'
import { useChangeWords } from './change-words.ts'
import { Changes } from './changes.tsx'
import { deedOf } from './deed.ts'
import { useOperationWords } from './operation-words.ts'
import { ProjectOfMember, TargetName } from './target.tsx'
import { useAuditWords } from './words.ts'

/** An entry of the audit as a sentence; a denial with its reason and what `cure` offers for it. */
export function Entry({ of: entry, cure }: { of: AuditEntry; cure: ComponentChildren }) {
  const t = useAuditWords()
  const { outcome, count, reason } = entry
  return (
    <div class="entry-of-audit">
      <p class="deed">
        {outcome === 'denied' ? <Refusal of={entry} /> : <Done of={entry} />}{' '}
        {outcome === 'denied' && <Badge tone="bad">{count > 1 ? t.denials(count) : t.outcomes.denied}</Badge>}
      </p>
      {outcome === 'denied' && (
        <p class="quiet">
          <Told>{reason}</Told>
        </p>
      )}
      <ChangedFields of={entry} />
      {cure}
      <Details of={entry} />
    </div>
  )
}

function Done({ of: entry }: { of: AuditEntry }) {
  const t = useDeedWords()
  return (
    <Sentence
      text={t.sentence(deedOf(entry))}
      fill={{
        who: <Who of={entry} texts={t.who} />,
        what: <TargetName of={entry} />,
        project: <ProjectOfMember of={entry} />,
      }}
    />
  )
}

function Refusal({ of: entry }: { of: AuditEntry }) {
  const t = useDeedWords()
  const operations = useOperationWords()
  const { operation } = entry
  return (
    <Sentence
      text={t.refusal}
      fill={{
        who: <Who of={entry} texts={t.refused} />,
        operation: operations[operation] ?? <Code>{operation}</Code>,
      }}
    />
  )
}

type Kind = AuditEntry['by']['kind'] | 'app'

function Who({ of: { by, key }, texts }: { of: AuditEntry; texts: Record<Kind, string> }) {
  const { company, may } = useStanding()
  const base = company && `/companies/${company.id}`
  const to =
    base &&
    by.id !== null &&
    (by.kind === 'person' ? may('getUser') && `${base}/people/${by.id}` : may('getKey') && `${base}/keys/${by.id}`)
  return <Doer text={texts[by.kind === 'key' && key ? key.kind : by.kind]} name={by.name} to={to} />
}

/** Which fields of something that was there already. What they were and are is among the details. */
function ChangedFields({ of: { method, changes } }: { of: AuditEntry }) {
  const { fields } = useChangeWords()
  const language = useLanguage()
  const names = Object.keys(changes).map(field => fields[field as AuditField] ?? field)
  if (method !== 'PATCH' || names.length === 0) return null
  return <p class="quiet">{new Intl.ListFormat(LANGUAGES[language].locale, { type: 'unit' }).format(names)}</p>
}

function Details({ of: entry }: { of: AuditEntry }) {
  const t = useAuditWords()
  const { operation, target, method, path, status, request_id, by, actor, changes } = entry
  const facts: [string, ComponentChildren][] = [
    [t.request, <Code key="path">{`${method} ${path}`}</Code>],
    [t.status, <Code key="status">{status}</Code>],
    ['ID', <RequestId key="id" of={request_id} isLogged={by.kind === 'key'} />],
    [t.operation, <Code key="operation">{operation}</Code>],
  ]
  if (target) facts.push([t.targets[target.type] ?? target.type, <Code key="target">{target.id}</Code>])
  if (by.kind === 'key') facts.push([t.inTheNameOf, <Name key="actor">{actor}</Name>])
  if (Object.keys(changes).length > 0) facts.push([t.changes, <Changes key="changes" of={changes} />])
  return (
    <details class="entry-details">
      <summary>{t.details}</summary>
      <Facts of={facts} />
    </details>
  )
}

/** What a key did is in the log of requests too, with what it was told. */
function RequestId({ of: id, isLogged }: { of: string; isLogged: boolean }) {
  const { company, may } = useStanding()
  if (!company || !isLogged || !may('listRequests')) return <Code>{id}</Code>
  return (
    <Link to={`/companies/${company.id}/requests?request_id=${encodeURIComponent(id)}`}>
      <Code>{id}</Code>
    </Link>
  )
}
