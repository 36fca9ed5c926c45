import type { AuditEntry } from '../../api/types.ts'
import { useStanding } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { type Column, Facts } from '../../parts/table.tsx'
import { Badge, Code, Name } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { Changes } from './changes.tsx'
import { useOperationName } from './operation-name.ts'
import { useAuditWords } from './words.ts'

/** How an entry of the audit is shown. */
export function useEntryColumns(): Column<AuditEntry>[] {
  const t = useAuditWords()
  const common = useCommonWords()
  return [
    { title: t.what, main: true, show: entry => <What entry={entry} /> },
    { title: t.outcome, show: entry => <Outcome entry={entry} /> },
    { title: common.who, show: entry => <Who entry={entry} /> },
    { title: t.changes, show: ({ changes }) => <Changes of={changes} /> },
    { title: common.when, show: ({ created_at }) => <Time at={created_at} /> },
  ]
}

function What({ entry: { operation, target, method, path, status, request_id } }: { entry: AuditEntry }) {
  const t = useAuditWords()
  const operationName = useOperationName()
  return (
    <>
      {operationName(operation)}
      {target && (
        <p class="quiet">
          {t.targets[target.type] ?? target.type}: <Name>{target.name}</Name>
        </p>
      )}
      <details class="entry-details">
        <summary>{t.details}</summary>
        <Facts
          of={[
            [t.operation, <Code key="operation">{operation}</Code>],
            ...(target
              ? [[t.target, <Code key="target">{target.id}</Code>] as [string, preact.ComponentChildren]]
              : []),
            [
              t.request,
              <Code key="path">
                {method} {path}
              </Code>,
            ],
            [t.status, <Code key="status">{status}</Code>],
            ['ID', <Code key="id">{request_id}</Code>],
          ]}
        />
      </details>
    </>
  )
}

function Outcome({ entry: { outcome, reason, count } }: { entry: AuditEntry }) {
  const t = useAuditWords()
  if (outcome === 'allowed') return <Badge tone="good">{t.outcomes.allowed}</Badge>
  return (
    <>
      <Badge tone="bad">{count > 1 ? t.denials(count) : t.outcomes.denied}</Badge>
      <p class="quiet" dir="auto">
        {reason}
      </p>
    </>
  )
}

function Who({ entry: { by, actor } }: { entry: AuditEntry }) {
  const t = useAuditWords()
  const { company, may } = useStanding()
  if (by.kind === 'operator') return t.kinds.operator
  const to =
    by.kind === 'person'
      ? may('getUser') && `/companies/${company?.id}/people/${by.id}`
      : may('getKey') && `/companies/${company?.id}/keys/${by.id}`
  return (
    <>
      {to ? (
        <Link to={to}>
          <Name>{by.name}</Name>
        </Link>
      ) : (
        <Name>{by.name}</Name>
      )}
      {by.kind === 'key' && (
        <p class="quiet">
          {t.kinds.key} {t.onBehalfOf} <Name>{actor}</Name>
        </p>
      )}
    </>
  )
}
