import { useState } from 'preact/hooks'
import type { User } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useQuery } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { useFrameWords } from '../../frame/words.ts'
import { Button, Link } from '../../parts/button.tsx'
import { Filters } from '../../parts/form.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Badge, Email, Name } from '../../parts/text.tsx'
import { Day } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import { AddPerson } from './add-person.tsx'
import { InviteAgain } from './invitation.tsx'
import { needsInvitation, PersonState } from './person-state.tsx'
import { useMayInvite } from './rules.ts'
import { useInvitationWords, usePeopleWords } from './words.ts'

/** Everybody of a company. */
export default function People() {
  const t = usePeopleWords()
  const common = useCommonWords()
  const { id: company } = useCompany()
  const { may } = useStanding()
  const [q, setQ] = useQuery('q')
  const [adding, setAdding] = useState(false)
  const people = useCollection('GET /companies/{company}/users', { params: { company }, query: { q } })
  const [inviting, setInviting] = useState<User>()
  const columns = useColumns(setInviting)
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        may('createUser') && (
          <Button main icon="plus" onClick={() => setAdding(true)}>
            {t.add}
          </Button>
        )
      }
    >
      <Filters>
        <SearchField label={t.find} value={q} onChange={setQ} />
        {people.total !== undefined && <p class="quiet">{t.count(people.total)}</p>}
      </Filters>
      <LoadedCollection
        of={people}
        empty={
          <>
            <p>{common.noMatch}</p>
            <Button onClick={() => setQ('')}>{common.clearFilters}</Button>
          </>
        }
      >
        {rows => <Table label={t.table} columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </LoadedCollection>
      {inviting && <InviteAgain user={inviting} onClose={() => setInviting(undefined)} onInvited={people.reload} />}
      {adding && <AddPerson onClose={() => setAdding(false)} onAdded={people.reload} />}
    </Page>
  )
}

function useColumns(invite: (user: User) => void): Column<User>[] {
  const t = usePeopleWords()
  const { again } = useInvitationWords()
  const mayInvite = useMayInvite()
  const common = useCommonWords()
  const { roles } = useFrameWords()
  const { id: company } = useCompany()
  const { me } = useStanding()
  return [
    {
      title: common.name,
      main: true,
      show: ({ id, name }) => (
        <>
          <Link to={`/companies/${company}/people/${id}`}>
            <Name>{name}</Name>
          </Link>{' '}
          {me.user?.id === id && <Badge>{t.you}</Badge>}
        </>
      ),
    },
    { title: common.email, show: ({ email }) => <Email>{email}</Email> },
    { title: t.role, show: ({ role }) => roles[role] },
    {
      title: t.keys,
      show: ({ role, can_manage_api_keys }) =>
        role === 'owner' || can_manage_api_keys ? t.manages : <span class="quiet">—</span>,
    },
    {
      title: common.state,
      show: user => (
        <>
          <PersonState of={user} />
          {needsInvitation(user) && mayInvite(user) && (
            <p>
              <Button quiet aria-label={`${again} ${isolate(user.name)}`} onClick={() => invite(user)}>
                {again}
              </Button>
            </p>
          )}
        </>
      ),
    },
    { title: t.added, show: ({ created_at }) => <Day on={created_at} /> },
  ]
}
