import type { User } from '../../api/types.ts'
import { Badge } from '../../parts/text.tsx'
import { Day } from '../../parts/time.tsx'
import { usePeopleWords } from './words.ts'

/** Whether somebody can sign in: until the first time, they are invited. */
export function PersonState({ of: user }: { of: User }) {
  const t = usePeopleWords()
  if (!user.active) return <Badge>{t.inactive}</Badge>
  if (user.has_token) return <Badge tone="good">{t.active}</Badge>
  if (user.invited_until === null) return <Badge tone="warn">{t.noToken}</Badge>
  if (isOver(user.invited_until)) return <Badge tone="warn">{t.expired}</Badge>
  return (
    <>
      <Badge>{t.invited}</Badge>{' '}
      <span class="quiet">
        {t.invitedUntil} <Day on={user.invited_until} />
      </span>
    </>
  )
}

/** Active, without a token, and without an invitation that would give one. */
export function needsInvitation({ active, has_token, invited_until }: User): boolean {
  return active && !has_token && (invited_until === null || isOver(invited_until))
}

const isOver = (until: string) => Date.parse(until) <= Date.now()
