import type { Notification } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { NothingYet } from '../../parts/nothing-yet.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Name } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { Subject } from './subject.tsx'
import { useActivityWords } from './words.ts'

/** What people were told: members see their own, leaders everybody's. */
export default function Notifications() {
  const { notifications: t, subject, what } = useActivityWords()
  const common = useCommonWords()
  const { id: company } = useCompany()
  const seesAll = useStanding().may('listUsers')
  const notifications = useCollection('GET /companies/{company}/notifications', { params: { company } })
  const columns: Column<Notification>[] = [
    { title: what, main: true, show: ({ kind }) => t.kinds[kind] ?? kind },
    { title: subject, show: notification => <Subject of={notification.subject} /> },
    ...(seesAll ? [{ title: t.person, show: ({ user }: Notification) => <Name>{user.name}</Name> }] : []),
    {
      title: t.mailed,
      show: ({ emailed_at }) => (emailed_at ? <Time at={emailed_at} /> : <span class="quiet">{t.notMailed}</span>),
    },
    { title: common.when, show: ({ created_at }) => <Time at={created_at} /> },
  ]
  return (
    <Page title={t.title} lead={seesAll ? t.leadAll : t.leadOwn}>
      <LoadedCollection of={notifications} empty={<NothingYet next="projects">{t.empty}</NothingYet>}>
        {rows => <Table label={t.title} columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </LoadedCollection>
    </Page>
  )
}
