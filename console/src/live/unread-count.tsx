import { useStanding } from '../frame/standing.ts'
import { formatNumber, useLanguage } from '../words/language.ts'
import { useLive } from './use-live.ts'
import { useLiveWords } from './words.ts'

/** What people are told of: a job tells them a moment after it happened. */
export const TOLD = { kinds: ['discussion', 'comment', 'file'] } as const
export const TOLD_AFTER_MS = 2_000
/** Where the job was late. */
export const TOLD_LATE_MS = 15_000

/** How many notifications the reader has not read; nothing if there are none. */
export function UnreadCount() {
  const t = useLiveWords()
  const language = useLanguage()
  const { me, refresh } = useStanding()
  useLive(TOLD, refresh, TOLD_AFTER_MS)
  useLive(TOLD, refresh, TOLD_LATE_MS)
  const unread = me.unread_notifications
  if (unread === 0) return null
  return (
    <span class="unread">
      <span aria-hidden="true">{formatNumber(language, unread)}</span>
      <span class="read-out">{t.unread(unread)}</span>
    </span>
  )
}
