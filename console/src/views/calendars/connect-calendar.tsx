import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form, TextField } from '../../parts/form.tsx'
import { PersonField } from '../../parts/person-field.tsx'
import { useCalendarWords } from './words.ts'

interface ConnectCalendarProps {
  onClose: () => void
  onDone: () => void
}

export function ConnectCalendar({ onClose, onDone }: ConnectCalendarProps) {
  const t = useCalendarWords()
  const { id: company } = useCompany()
  const { me } = useStanding()
  const [person, setPerson] = useState(me.user ? String(me.user.id) : '')
  const [url, setUrl] = useState('')
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const action = useAction(() =>
    call('POST /companies/{company}/calendars', {
      params: { company },
      body: { user_id: Number(person), url: url.trim(), username, password },
    }),
  )
  const done = () => {
    onClose()
    onDone()
  }
  return (
    <Dialog title={t.connect} onClose={onClose}>
      <Form action={action} submit={t.connect} onCancel={onClose} onDone={done}>
        <p class="quiet">{t.connecting}</p>
        {me.kind === 'operator' && (
          <PersonField
            label={t.person}
            nobody={t.choosePerson}
            value={person}
            onChange={setPerson}
            problem={action.about('user_id')}
            activeOnly
          />
        )}
        <TextField
          label={t.url}
          hint={t.urlHint}
          type="url"
          code
          value={url}
          onChange={setUrl}
          problem={action.about('url')}
          autoFocus
        />
        <TextField
          label={t.username}
          value={username}
          onChange={setUsername}
          problem={action.about('username')}
          autoComplete="off"
        />
        <TextField
          label={t.password}
          hint={t.passwordHint}
          type="password"
          value={password}
          onChange={setPassword}
          problem={action.about('password')}
          autoComplete="new-password"
        />
      </Form>
    </Dialog>
  )
}
