import type { KeyKind } from '../api/types.ts'
import { useCompany, useStanding } from '../frame/standing.ts'
import { words } from '../words/language.ts'
import { Link } from './button.tsx'
import { Badge, Name } from './text.tsx'

const useKeyNameWords = words({ en: { app: 'App' }, ar: { app: 'تطبيق' } })

/** That a key is an app's, wherever keys are shown. */
export function AppBadge({ of: { kind } }: { of: { kind: KeyKind } }) {
  const t = useKeyNameWords()
  return kind === 'app' ? <Badge>{t.app}</Badge> : null
}

/** The name of a key, and the way to it for those who may see it. */
export function KeyName({ of: key }: { of: { id: number; name: string; kind: KeyKind } }) {
  const { id } = useCompany()
  const { may } = useStanding()
  const name = <Name>{key.name}</Name>
  return (
    <>
      {may('getKey') ? <Link to={`/companies/${id}/keys/${key.id}`}>{name}</Link> : name} <AppBadge of={key} />
    </>
  )
}
