import { call } from '../../api/call.ts'
import type { Session } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useStanding } from '../../frame/standing.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { browserName } from '../../parts/browser.ts'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Badge, Code, Name } from '../../parts/text.tsx'
import { Ago, Time } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useServiceWords } from './words.ts'

/** Where the operator is signed in. */
export default function Sessions() {
  const t = useServiceWords()
  const common = useCommonWords()
  const { may } = useStanding()
  const sessions = useCollection('GET /sessions')
  const end = async ({ id }: Session) => {
    await call('DELETE /sessions/{session}', { params: { session: id } })
    say(t.wasEnded)
    sessions.reload()
  }
  return (
    <Page title={t.sessions} lead={t.sessionsLead}>
      <LoadedCollection of={sessions} empty={t.noSessions}>
        {rows => (
          <Table
            label={t.sessions}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { title: t.browser, main: true, show: session => <Browser of={session} /> },
              { title: t.address, show: ({ address }) => <Code>{address}</Code> },
              { title: t.began, show: ({ created_at }) => <Time at={created_at} /> },
              { title: t.lastUsed, show: ({ last_used_at }) => <Ago at={last_used_at} /> },
              { title: t.ends, show: ({ expires_at }) => <Time at={expires_at} /> },
              {
                title: common.actions,
                actions: true,
                show: session =>
                  may('endOperatorSession') &&
                  !session.current && <ActButton act={() => end(session)}>{t.end}</ActButton>,
              },
            ]}
          />
        )}
      </LoadedCollection>
    </Page>
  )
}

function Browser({ of: { user_agent, current } }: { of: Session }) {
  const t = useServiceWords()
  return (
    <span title={user_agent ?? undefined}>
      <Name>{browserName(user_agent) ?? t.unknownBrowser}</Name> {current && <Badge tone="good">{t.thisOne}</Badge>}
    </span>
  )
}
