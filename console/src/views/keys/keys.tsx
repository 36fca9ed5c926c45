import type { Key, KeyState } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { go, useQuery } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { NoApiNote } from '../../parts/api-note.tsx'
import { Button, Link } from '../../parts/button.tsx'
import { Filters, SelectField } from '../../parts/form.tsx'
import { AppBadge } from '../../parts/key-name.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { NothingYet } from '../../parts/nothing-yet.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Code, Name } from '../../parts/text.tsx'
import { Ago, Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { KeyStateBadge } from './key-state.tsx'
import { Succession } from './succession.tsx'
import { useKeysWords } from './words.ts'

const isState = (text: string, words: Record<KeyState, string>): text is KeyState => Object.hasOwn(words, text)

/** The keys of a company: those that work, unless others are asked for. */
export default function Keys() {
  const t = useKeysWords()
  const common = useCommonWords()
  const { id } = useCompany()
  const { may } = useStanding()
  const columns = useColumns()
  const [wanted, setState] = useQuery('state', 'live')
  const state = isState(wanted, t.inState) ? wanted : undefined
  const keys = useCollection('GET /companies/{company}/keys', {
    params: { company: id },
    query: state ? { state } : {},
  })
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        may('createKey') && (
          <Button main icon="plus" onClick={() => go(`/companies/${id}/keys/new`)}>
            {t.create}
          </Button>
        )
      }
    >
      <NoApiNote />
      <Filters>
        <SelectField
          label={common.state}
          value={state ?? 'all'}
          onChange={setState}
          options={[
            ...(Object.keys(t.inState) as KeyState[]).map(one => [one, t.inState[one]] as const),
            ['all', common.all],
          ]}
        />
      </Filters>
      <LoadedCollection
        of={keys}
        empty={state === 'live' ? <NothingYet next="createKey">{t.empty}</NothingYet> : <p>{t.noneInState}</p>}
      >
        {rows => <Table label={t.title} columns={columns} rows={rows} keyOf={key => key.id} />}
      </LoadedCollection>
    </Page>
  )
}

function useColumns(): Column<Key>[] {
  const t = useKeysWords()
  const common = useCommonWords()
  const { id } = useCompany()
  return [
    {
      title: common.name,
      main: true,
      show: key => (
        <>
          <Link to={`/companies/${id}/keys/${key.id}`}>
            <Name>{key.name}</Name>
          </Link>{' '}
          <AppBadge of={key} />
          <p class="quiet">
            <span class="read-out">{key.app_host ? t.appHost : t.lastFour} </span>
            <Code>{key.app_host ?? `…${key.last_four}`}</Code>
          </p>
          <Succession of={key} />
        </>
      ),
    },
    { title: common.state, show: key => <KeyStateBadge of={key} /> },
    { title: t.access, short: true, show: key => t.accesses[key.access] },
    { title: t.lastUsed, show: key => (key.last_used_at ? <Ago at={key.last_used_at} /> : t.neverUsed) },
    { title: t.expires, show: key => (key.expires_at ? <Time at={key.expires_at} /> : t.expiries.never) },
    { title: t.actsAs, show: key => <Name>{key.created_by.name}</Name> },
  ]
}
