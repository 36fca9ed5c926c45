import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Membership } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { useFrameWords } from '../../frame/words.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Form } from '../../parts/form.tsx'
import { Loaded, LoadedCollection } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { PersonField } from '../../parts/person-field.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Email, Name, Note } from '../../parts/text.tsx'
import { say } from '../../parts/toast.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import { useWorkWords } from '../records/words.ts'
import { useMemberWords } from './words.ts'

/** Who sees a private project. */
export default function Members({ params: { project = '' } }: ViewProps) {
  const t = useMemberWords()
  const work = useWorkWords()
  const { id: company } = useCompany()
  const found = useAnswer('GET /companies/{company}/records/projects/{project}', { params: { company, project } })
  const name = found.data?.data.name
  return (
    <Page
      title={t.title}
      lead={t.lead}
      above={{
        to: `/companies/${company}/projects/${project}`,
        label: name === undefined ? work.project : <Name>{name}</Name>,
      }}
    >
      <Loaded of={found}>
        {({ data }) => (
          <>
            {data.is_public && <Note>{t.publicNote}</Note>}
            <MembersOf project={project} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function MembersOf({ project }: { project: string }) {
  const t = useMemberWords()
  const common = useCommonWords()
  const { roles } = useFrameWords()
  const { id: company } = useCompany()
  const { may } = useStanding()
  const params = { company, project }
  const members = useCollection('GET /companies/{company}/projects/{project}/members', { params })
  const add = async (user_id: number) => {
    const { data } = await call('POST /companies/{company}/projects/{project}/members', { params, body: { user_id } })
    members.reload()
    return data
  }
  const remove = async ({ id, name }: Membership) => {
    await call('DELETE /companies/{company}/projects/{project}/members/{user}', { params: { ...params, user: id } })
    members.reload()
    say(t.removed(name), () => add(id))
  }
  const columns: Column<Membership>[] = [
    { title: common.name, main: true, show: ({ name }) => <Name>{name}</Name> },
    { title: common.email, show: ({ email }) => <Email>{email}</Email> },
    { title: t.role, show: ({ role }) => roles[role] },
    {
      title: common.actions,
      actions: true,
      show: member =>
        may('removeProjectMember') && (
          <ActButton quiet label={`${t.remove} ${isolate(member.name)}`} act={() => remove(member)}>
            {t.remove}
          </ActButton>
        ),
    },
  ]
  return (
    <>
      {may('addProjectMember') && <AddMember members={members.data ?? []} add={add} />}
      <LoadedCollection of={members} empty={t.empty}>
        {rows => <Table label={t.title} columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </LoadedCollection>
    </>
  )
}

function AddMember({ members, add }: { members: Membership[]; add: (id: number) => Promise<Membership> }) {
  const t = useMemberWords()
  const [person, setPerson] = useState('')
  const action = useAction(async () => {
    const { name } = await add(Number(person))
    setPerson('')
    say(t.added(name))
  })
  return (
    <Card>
      <Form action={action} submit={t.add}>
        <PersonField
          label={t.person}
          nobody={t.choose}
          value={person}
          onChange={setPerson}
          problem={action.about('user_id')}
          except={members.map(({ id }) => id)}
          activeOnly
        />
      </Form>
    </Card>
  )
}
