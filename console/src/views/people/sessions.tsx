import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Session } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { browserName } from '../../parts/browser.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Badge, Code, Name } from '../../parts/text.tsx'
import { Ago, Time } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useSessionWords } from './words.ts'

/** Where a person is signed in to the console. One's own session is ended by signing out. */
export function Sessions({ user }: { user: number }) {
  const t = useSessionWords()
  const { id: company } = useCompany()
  const params = { company, user }
  const sessions = useCollection('GET /companies/{company}/users/{user}/sessions', { params })
  const [ending, setEnding] = useState<Session>()
  const columns = useColumns(setEnding)
  const end = ({ id }: Session) =>
    call('DELETE /companies/{company}/users/{user}/sessions/{session}', { params: { ...params, session: id } })
  return (
    <Card title={t.title} lead={t.lead}>
      <LoadedCollection of={sessions} empty={t.empty}>
        {rows => <Table label={t.title} columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </LoadedCollection>
      {ending && (
        <Confirm
          title={t.endTitle}
          verb={t.end}
          act={() => end(ending)}
          onClose={() => setEnding(undefined)}
          onDone={() => {
            sessions.reload()
            say(t.ended)
          }}
        >
          <p>
            <bdi>{browserName(ending.user_agent) ?? t.unknownBrowser}</bdi> <Code>{ending.address}</Code>
          </p>
          <p class="quiet">{t.endLead}</p>
        </Confirm>
      )}
    </Card>
  )
}

function useColumns(end: (session: Session) => void): Column<Session>[] {
  const t = useSessionWords()
  const common = useCommonWords()
  const { may } = useStanding()
  return [
    {
      title: t.browser,
      main: true,
      show: ({ user_agent, current }) => (
        <>
          <bdi title={user_agent ?? undefined}>{browserName(user_agent) ?? t.unknownBrowser}</bdi>{' '}
          {current && <Badge tone="good">{t.current}</Badge>}
        </>
      ),
    },
    { title: t.address, show: ({ address }) => <Code>{address}</Code> },
    { title: t.token, show: ({ token, sign_in_link }) => <Name>{token?.name ?? sign_in_link?.email}</Name> },
    { title: t.used, show: ({ last_used_at }) => <Ago at={last_used_at} /> },
    { title: t.expires, show: ({ expires_at }) => <Time at={expires_at} /> },
    {
      title: common.actions,
      actions: true,
      show: session =>
        may('endSession') &&
        !session.current && (
          <Button quiet onClick={() => end(session)}>
            {t.end}
          </Button>
        ),
    },
  ]
}
