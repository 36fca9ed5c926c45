import { useState } from 'preact/hooks'
import { CallFailed, call } from '../api/call.ts'
import type { Me, SignIn as Offer } from '../api/types.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../parts/button.tsx'
import { Form, TextField } from '../parts/form.tsx'
import { Mark } from '../parts/mark.tsx'
import { ShownOnce } from '../parts/secret.tsx'
import { Note } from '../parts/text.tsx'
import type { Choices } from './choices.tsx'
import { ChoicesBar } from './choices.tsx'
import { type Outcome, WithProvider } from './provider.tsx'
import { useFrameWords } from './words.ts'

export type Arrival = 'first' | 'ended' | 'wrong link' | 'invited'

interface SignInProps {
  why: Arrival
  /** The code of the invitation that was opened. */
  code?: string | undefined
  /** What became of signing in with the identity provider, and what the server then offered. */
  outcome?: Outcome | undefined
  offer?: Offer | undefined
  choices: Choices
  onSignedIn: (me: Me) => void
}

export function SignIn({ why, code, outcome, offer, choices, onSignedIn }: SignInProps) {
  const t = useFrameWords()
  const [invited, setInvited] = useState(why === 'invited')
  return (
    <main class="alone">
      <div class="sign-in">
        <p class="wordmark">
          <Mark />
          <span lang="en">Diwan</span> <span lang="ar">ديوان</span>
        </p>
        <h1>{invited ? t.acceptInvitation : t.signIn}</h1>
        {why === 'ended' && <Note tone="warn">{t.ended}</Note>}
        {why === 'wrong link' && <Note tone="warn">{t.wrongLink}</Note>}
        {!invited && <WithProvider outcome={outcome} offer={offer} onSignedIn={onSignedIn} />}
        {invited ? <Invitation opened={code} onSignedIn={onSignedIn} /> : <WithToken onSignedIn={onSignedIn} />}
        <Button quiet onClick={() => setInvited(!invited)}>
          {invited ? t.signIn : t.invited}
        </Button>
        <ChoicesBar choices={choices} />
      </div>
    </main>
  )
}

function WithToken({ onSignedIn }: Pick<SignInProps, 'onSignedIn'>) {
  const t = useFrameWords()
  const [token, setToken] = useState('')
  const action = useAction(async () => onSignedIn(await signIn(token.trim())))
  const problem = isWrong(action.failure?.status)
    ? t.wrongToken
    : action.failure?.status === 429
      ? t.tooMany
      : undefined
  return (
    <Form
      action={problem ? { ...action, rest: () => undefined } : action}
      submit={t.signIn}
      disabled={token.trim() === ''}
    >
      <p class="lead">{t.signInLead}</p>
      <TextField
        label={t.token}
        hint={t.tokenHint}
        problem={problem}
        type="password"
        code
        value={token}
        onChange={setToken}
        autoFocus
        autoComplete="current-password"
      />
    </Form>
  )
}

/** Refused, or not in the form of a token. */
const isWrong = (status: number | undefined) => status === 401 || status === 422

/** What may have been copied along with a code, such as direction marks. */
const NOT_OF_CODE = /[^\w-]/g

/** A code creates the first token, which is shown, because nothing else can be used to sign in next time. */
function Invitation({
  opened = '',
  onSignedIn,
}: {
  opened?: string | undefined
  onSignedIn: SignInProps['onSignedIn']
}) {
  const t = useFrameWords()
  const [code, setCode] = useState(opened)
  const [token, setToken] = useState<string>()
  const accept = useAction(async () => {
    const { data } = await call('POST /invitations/accept', { body: { code: code.replace(NOT_OF_CODE, '') } })
    setToken(data.token)
    // It has been used.
    history.replaceState(null, '', location.pathname + location.search)
  })
  const enter = useAction(async () => onSignedIn(await signIn(token ?? '')))
  if (token)
    return (
      <Form action={enter} submit={t.goOn}>
        <p class="lead">{t.yourTokenLead}</p>
        <ShownOnce value={token} label={t.yourToken} />
      </Form>
    )
  return (
    <Form action={accept} submit={t.acceptInvitation} disabled={code.trim() === ''}>
      {opened !== '' && <p class="lead">{t.invitedLead}</p>}
      <TextField label={t.invitationCode} code value={code} onChange={setCode} autoFocus autoComplete="one-time-code" />
    </Form>
  )
}

async function signIn(token: string): Promise<Me> {
  // A header or a cookie cannot carry anything else, and no token contains it.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new CallFailed(401, 'unauthorized', '')
  return (await call('POST /sessions', { body: { token } })).data
}
