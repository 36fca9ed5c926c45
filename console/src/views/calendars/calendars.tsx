import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Calendar } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Badge, Code, Name, Told } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'
import { useCommonWords } from '../../words/common.ts'
import { ChangeCredentials } from './change-credentials.tsx'
import { ConnectCalendar } from './connect-calendar.tsx'
import { useCalendarWords } from './words.ts'

type Open = { what: 'connect' } | { what: 'change' | 'disconnect'; calendar: Calendar }

/** The calendars that events are sent to: members see their own, leaders everybody's. */
export default function Calendars() {
  const t = useCalendarWords()
  const { id: company } = useCompany()
  const { may } = useStanding()
  const [open, setOpen] = useState<Open>()
  const calendars = useCollection('GET /companies/{company}/calendars', { params: { company } }, 60_000)
  const columns = useColumns(setOpen)
  const close = () => setOpen(undefined)
  const done = (text: string) => {
    calendars.reload()
    say(text)
  }
  return (
    <Page
      title={t.title}
      lead={may('listUsers') ? t.leadAll : t.leadOwn}
      actions={
        may('connectCalendar') && (
          <Button main icon="plus" onClick={() => setOpen({ what: 'connect' })}>
            {t.connect}
          </Button>
        )
      }
    >
      <LoadedCollection of={calendars} empty={t.empty}>
        {rows => <Table label={t.title} columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </LoadedCollection>
      {open?.what === 'connect' && <ConnectCalendar onClose={close} onDone={() => done(t.connected)} />}
      {open?.what === 'change' && (
        <ChangeCredentials calendar={open.calendar} onClose={close} onDone={() => done(t.changed)} />
      )}
      {open?.what === 'disconnect' && (
        <Confirm
          title={t.disconnect}
          verb={t.disconnect}
          typed={hostOf(open.calendar)}
          act={() =>
            call('DELETE /companies/{company}/calendars/{calendar}', {
              params: { company, calendar: open.calendar.id },
            })
          }
          onClose={close}
          onDone={() => done(t.disconnected)}
        >
          {t.disconnectLead}
        </Confirm>
      )}
    </Page>
  )
}

function hostOf({ url }: Calendar): string {
  return new URL(url).host
}

function useColumns(open: (what: Open) => void): Column<Calendar>[] {
  const t = useCalendarWords()
  const common = useCommonWords()
  const { me, may } = useStanding()
  return [
    {
      title: t.calendar,
      main: true,
      show: calendar => (
        <>
          <Code>{calendar.url}</Code>
          <p class="quiet">
            {t.username}: <Name>{calendar.username}</Name>
          </p>
        </>
      ),
    },
    { title: t.personShort, show: ({ user }) => <Name>{user.name}</Name> },
    { title: common.state, show: calendar => <Health of={calendar} /> },
    {
      title: t.synced,
      show: ({ last_synced_at }) =>
        last_synced_at ? <Ago at={last_synced_at} /> : <span class="quiet">{t.notYet}</span>,
    },
    {
      title: common.actions,
      actions: true,
      show: calendar => (
        <>
          {may('updateCalendar') && (me.user === null || me.user.id === calendar.user.id) && (
            <Button quiet onClick={() => open({ what: 'change', calendar })}>
              {t.change}
            </Button>
          )}
          {may('disconnectCalendar') && (
            <Button quiet onClick={() => open({ what: 'disconnect', calendar })}>
              {t.disconnect}
            </Button>
          )}
        </>
      ),
    },
  ]
}

function Health({ of: { state, last_error } }: { of: Calendar }) {
  const t = useCalendarWords()
  const tone = state === 'failing' ? 'bad' : last_error ? 'warn' : 'good'
  return (
    <>
      <Badge tone={tone}>{t.states[state]}</Badge>
      {state === 'failing' && <p>{t.failing}</p>}
      {last_error && (
        <p class="quiet">
          {t.lastError}: <Told>{last_error}</Told>
        </p>
      )}
    </>
  )
}
