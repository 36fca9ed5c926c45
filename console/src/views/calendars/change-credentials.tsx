import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Calendar } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useCompany } from '../../frame/standing.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form, TextField } from '../../parts/form.tsx'
import { Code } from '../../parts/text.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useCalendarWords } from './words.ts'

interface ChangeCredentialsProps {
  calendar: Calendar
  onClose: () => void
  onDone: () => void
}

export function ChangeCredentials({ calendar, onClose, onDone }: ChangeCredentialsProps) {
  const t = useCalendarWords()
  const common = useCommonWords()
  const { id: company } = useCompany()
  const [username, setUsername] = useState(calendar.username)
  const [password, setPassword] = useState('')
  const action = useAction(() =>
    call('PATCH /companies/{company}/calendars/{calendar}', {
      params: { company, calendar: calendar.id },
      body: { username, ...(password && { password }) },
    }),
  )
  const done = () => {
    onClose()
    onDone()
  }
  return (
    <Dialog title={t.changeTitle} onClose={onClose}>
      <Form action={action} submit={common.save} onCancel={onClose} onDone={done}>
        <p>
          <Code>{calendar.url}</Code>
        </p>
        <p class="quiet">{t.changeLead}</p>
        <TextField
          label={t.username}
          value={username}
          onChange={setUsername}
          problem={action.about('username')}
          autoComplete="off"
        />
        <TextField
          label={t.newPassword}
          hint={t.keepPassword}
          type="password"
          value={password}
          onChange={setPassword}
          problem={action.about('password')}
          autoComplete="new-password"
          autoFocus
        />
      </Form>
    </Dialog>
  )
}
