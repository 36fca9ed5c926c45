import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { MyNotification } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { TOLD, TOLD_AFTER_MS, TOLD_LATE_MS } from '../../live/unread-count.tsx'
import { useLive } from '../../live/use-live.ts'
import { Button, Link } from '../../parts/button.tsx'
import { FailureNote } from '../../parts/failure.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Name } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { isolate } from '../../words/language.ts'
import { useActivityWords } from '../activity/words.ts'
import { useWorkAddresses, type WorkAddresses } from '../records/addresses.ts'
import { useHomeWords } from './words.ts'

/** What the reader was told and has not read. */
export function Unread() {
  const t = useHomeWords()
  const { id: company } = useCompany()
  const { may, refresh } = useStanding()
  const unread = useCollection('GET /companies/{company}/records/me/notifications', {
    params: { company },
    query: { unread: true, limit: 10 },
  })
  useLive(TOLD, unread.reload, TOLD_AFTER_MS)
  useLive(TOLD, unread.reload, TOLD_LATE_MS)
  /** Everything up to this one is hidden at once, and shown again when the server does not agree. */
  const [readUpTo, setReadUpTo] = useState(0)
  const newest = unread.data?.[0]?.id ?? 0
  const read = useAction(async () => {
    setReadUpTo(newest)
    try {
      await call('POST /companies/{company}/records/me/notifications/read', {
        params: { company },
        body: { up_to: newest },
      })
    } catch (error) {
      setReadUpTo(0)
      throw error
    }
    refresh()
    unread.reload()
  })
  const left = { ...unread, data: unread.data?.filter(({ id }) => id > readUpTo) }
  return (
    <Card
      title={t.notifications}
      actions={
        left.data?.length !== 0 &&
        may('readMyNotifications') && (
          <Button quiet icon="check" disabled={newest === 0} onClick={read.run}>
            {t.markRead}
          </Button>
        )
      }
    >
      <FailureNote failure={read.failure} />
      <LoadedCollection of={left} empty={t.noNotifications}>
        {rows => (
          <ul class="told">
            {rows.map(notification => (
              <Told key={notification.id} of={notification} />
            ))}
          </ul>
        )}
      </LoadedCollection>
      {may('listNotifications') && (
        <p class="card-foot">
          <Link to={`/companies/${company}/notifications`}>{t.allNotifications}</Link>
        </p>
      )}
    </Card>
  )
}

function Told({ of: notification }: { of: MyNotification }) {
  const t = useHomeWords()
  const { notifications } = useActivityWords()
  const { kind, subject, actor, created_at } = notification
  const address = addressOf(notification, useWorkAddresses())
  const title = <Name>{subject.title}</Name>
  return (
    <li>
      <p>
        {notifications.kinds[kind] ?? kind}: {address ? <Link to={address}>{title}</Link> : title}
      </p>
      <p class="quiet">
        {actor && t.byWhom(isolate(actor))} · <Ago at={created_at} />
      </p>
    </li>
  )
}

function addressOf({ subject, project_id }: MyNotification, addresses: WorkAddresses): string | undefined {
  if (project_id === null) return undefined
  if (subject.type === 'discussion') return addresses.discussion(project_id, subject.id)
  if (subject.type === 'file') return addresses.file(project_id, subject.id)
}
