import { call } from '../../api/call.ts'
import type { Session } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useStanding } from '../../frame/standing.ts'
import { browserName } from '../../parts/browser.ts'
import { Button } from '../../parts/button.tsx'
import { FailureNote } from '../../parts/failure.tsx'
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
                  may('endOperatorSession') && !session.current && <End session={session} onDone={sessions.reload} />,
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

function End({ session, onDone }: { session: Session; onDone: () => void }) {
  const t = useServiceWords()
  const action = useAction(async () => {
    await call('DELETE /sessions/{session}', { params: { session: session.id } })
    say(t.wasEnded)
    onDone()
  })
  return (
    <>
      <Button busy={action.busy} onClick={() => action.run()}>
        {t.end}
      </Button>
      <FailureNote failure={action.failure} />
    </>
  )
}
