import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { PersonalToken } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useCollection } from '../../api/use-collection.ts'
import { leave } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { Form, TextField } from '../../parts/form.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { ShownOnce } from '../../parts/secret.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Code, Name } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'
import { useCommonWords } from '../../words/common.ts'
import { isolate } from '../../words/language.ts'
import { useTokenWords } from './words.ts'

/** The access tokens of a person. People make their own; the operator can make one for anybody. */
export function Tokens({ user }: { user: number }) {
  const t = useTokenWords()
  const common = useCommonWords()
  const { id: company } = useCompany()
  const { me, may } = useStanding()
  const params = { company, user }
  const tokens = useCollection('GET /companies/{company}/users/{user}/tokens', { params })
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<PersonalToken>()
  const mayCreate = may('createToken') && (me.kind === 'operator' || me.user?.id === user)
  const revoke = ({ id }: PersonalToken) =>
    call('DELETE /companies/{company}/users/{user}/tokens/{token}', { params: { ...params, token: id } })
  const columns: Column<PersonalToken>[] = [
    { title: common.name, main: true, show: ({ name }) => <Name>{name}</Name> },
    { title: t.ending, show: ({ last_four }) => <Code>…{last_four}</Code> },
    { title: common.created, show: ({ created_at }) => <Time at={created_at} /> },
    {
      title: common.actions,
      actions: true,
      show: token =>
        may('revokeToken') && (
          <Button quiet aria-label={`${t.revoke} ${isolate(token.name)}`} onClick={() => setRevoking(token)}>
            {t.revoke}
          </Button>
        ),
    },
  ]
  return (
    <Card
      title={t.title}
      lead={t.lead}
      actions={
        mayCreate && (
          <Button icon="plus" onClick={() => setCreating(true)}>
            {t.create}
          </Button>
        )
      }
    >
      <LoadedCollection of={tokens} empty={t.empty}>
        {rows => <Table label={t.title} columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </LoadedCollection>
      {creating && <CreateToken user={user} onClose={() => setCreating(false)} onCreated={tokens.reload} />}
      {revoking && (
        <Confirm
          title={t.revoke}
          verb={t.revoke}
          typed={revoking.name}
          act={() => revoke(revoking)}
          onClose={() => setRevoking(undefined)}
          onDone={() => {
            tokens.reload()
            say(t.revoked)
          }}
        >
          {t.revokeLead}
        </Confirm>
      )}
    </Card>
  )
}

interface CreateTokenProps {
  user: number
  onClose: () => void
  onCreated: () => void
}

function CreateToken({ user, onClose, onCreated }: CreateTokenProps) {
  const t = useTokenWords()
  const { id: company } = useCompany()
  const [name, setName] = useState('')
  const [token, setToken] = useState<string>()
  const create = useAction(async () => {
    const request = { params: { company, user }, body: { name } }
    setToken((await call('POST /companies/{company}/users/{user}/tokens', request)).data.token)
    onCreated()
  })
  if (token)
    return (
      <Dialog title={<Name>{name}</Name>} onClose={onClose} stays>
        <div class="stack">
          <ShownOnce value={token} label={t.token} />
          <div class="form-actions">
            <Button main onClick={() => leave(onClose)}>
              {t.done}
            </Button>
          </div>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={t.create} onClose={onClose}>
      <Form action={create} submit={t.create} onCancel={onClose}>
        <TextField
          label={t.name}
          hint={t.nameHint}
          value={name}
          onChange={setName}
          problem={create.about('name')}
          maxLength={255}
          autoFocus
          autoComplete="off"
        />
      </Form>
    </Dialog>
  )
}
