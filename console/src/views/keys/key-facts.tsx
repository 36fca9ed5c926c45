import type { ComponentChildren } from 'preact'
import type { Key, OperationLevel } from '../../api/types.ts'
import { AppBadge } from '../../parts/key-name.tsx'
import { Card } from '../../parts/page.tsx'
import { Facts } from '../../parts/table.tsx'
import { Badge, Code, Name } from '../../parts/text.tsx'
import { Ago, Time } from '../../parts/time.tsx'
import { type Resource, useAccessWords } from '../../words/access.ts'
import { useCommonWords } from '../../words/common.ts'
import { KeyStateBadge } from './key-state.tsx'
import { Succession } from './succession.tsx'
import { useKeysWords } from './words.ts'
import '../../style/keys.css'

export function KeyFacts({ of: key }: { of: Key }) {
  const t = useKeysWords()
  const common = useCommonWords()
  const facts: [string, ComponentChildren][] = [
    [common.state, <KeyStateBadge of={key} />],
    key.app_host
      ? [
          t.appHost,
          <>
            <Code>{key.app_host}</Code> <AppBadge of={key} />
            <p class="hint">{t.appHint}</p>
          </>,
        ]
      : [
          t.lastFour,
          <>
            <Code>…{key.last_four}</Code>
            <Succession of={key} />
          </>,
        ],
    [t.access, t.accesses[key.access]],
    [t.operations, <Operations of={key} />],
    [t.rights, <Rights of={key} />],
    [t.actsAs, <Name>{key.created_by.name}</Name>],
    [t.expires, key.expires_at ? <Time at={key.expires_at} /> : t.expiries.never],
    [t.lastUsed, key.last_used_at ? <Ago at={key.last_used_at} /> : t.neverUsed],
    [common.created, <Time at={key.created_at} />],
  ]
  if (key.revoked_at) facts.push([t.revokedOn, <Time at={key.revoked_at} />])
  return (
    <Card title={t.facts}>
      <Facts of={facts} />
    </Card>
  )
}

/** A line for each resource. What deletes stands out. */
function Operations({ of: { operations } }: { of: Key }) {
  const words = useAccessWords()
  const t = useKeysWords()
  const levels = Map.groupBy(operations, operation => operation.split(':')[0] as Resource)
  if (operations.length === 0) return <>{t.noOperations}</>
  return (
    <ul class="granted">
      {[...levels].map(([resource, granted]) => (
        <li key={resource}>
          <span>{words.resources[resource]}</span>
          {granted.map(operation => {
            const level = operation.split(':')[1] as OperationLevel
            return (
              <Badge key={operation} tone={level === 'destructive' ? 'bad' : 'plain'}>
                {words.levels[level]}
              </Badge>
            )
          })}
        </li>
      ))}
    </ul>
  )
}

function Rights({ of: { rights } }: { of: Key }) {
  const words = useAccessWords()
  const t = useKeysWords()
  if (rights.length === 0) return <>{t.rightsNone}</>
  return (
    <ul class="stack tight">
      {rights.map(right => (
        <li key={right}>
          {words.rights[right].name}
          <p class="hint">{words.rights[right].means}</p>
        </li>
      ))}
    </ul>
  )
}
