import { call } from '../../api/call.ts'
import type { Trashed } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { NothingYet } from '../../parts/nothing-yet.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Name } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import { useTrashWords } from './words.ts'

/** What was deleted and can be restored. */
export default function Trash() {
  const t = useTrashWords()
  const common = useCommonWords()
  const { id: company } = useCompany()
  const { may } = useStanding()
  const trash = useCollection('GET /companies/{company}/trash', { params: { company } })
  const restore = async ({ id, title }: Trashed) => {
    await call('POST /companies/{company}/trash/{ref}/restore', { params: { company, ref: id } })
    say(t.restored(title))
  }
  const columns: Column<Trashed>[] = [
    { title: t.what, main: true, show: ({ title }) => <Name>{title}</Name> },
    { title: t.kind, show: ({ type }) => t.types[type] },
    { title: t.deletedBy, show: ({ deleted_by }) => <Name>{deleted_by}</Name> },
    { title: t.deleted, show: ({ deleted_at }) => <Time at={deleted_at} /> },
    {
      title: common.actions,
      actions: true,
      show: row =>
        may('restoreRecord') && (
          <ActButton
            icon="replay"
            label={`${t.restore} ${isolate(row.title)}`}
            act={() => restore(row)}
            onDone={trash.reload}
          >
            {t.restore}
          </ActButton>
        ),
    },
  ]
  return (
    <Page title={t.title} lead={t.lead}>
      <LoadedCollection of={trash} empty={<NothingYet next="projects">{t.empty}</NothingYet>}>
        {rows => <Table label={t.table} columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </LoadedCollection>
    </Page>
  )
}
