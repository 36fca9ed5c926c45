import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { CallFailed, call } from '../api/call.ts'
import type { Me, SignIn as SignInOffer } from '../api/types.ts'
import { useLoading } from '../api/use-answer.ts'
import { forgetDrafts } from '../parts/drafts.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Toasts } from '../parts/toast.tsx'
import {
  chooseLanguageOfLink,
  LANGUAGES,
  type Language,
  LanguageContext,
  preferredLanguage,
} from '../words/language.ts'
import { askedByApp, forgetApp, noteApp } from './app-request.ts'
import { useAppearance } from './appearance.ts'
import type { Choices } from './choices.tsx'
import { useDigits } from './digits.ts'
import { Frame } from './frame.tsx'
import { LazyConsent } from './lazy-consent.tsx'
import { comeBack, isFailure, type Outcome } from './provider.tsx'
import { type Arrival, SignIn } from './sign-in.tsx'

/** The whole console: in a language, for whoever is signed in. */
export function App() {
  const [language, setLanguage] = useState<Language>(() => chooseLanguageOfLink() ?? preferredLanguage())
  const [appearance, setAppearance] = useAppearance()
  const [digits, setDigits] = useDigits()
  useEffect(() => {
    document.documentElement.lang = language
    document.documentElement.dir = LANGUAGES[language].dir
    localStorage.setItem('language', language)
  }, [language])
  useEffect(() => {
    // A link that is opened where the console is open already does not load the page again.
    const onHash = () => setLanguage(shown => chooseLanguageOfLink() ?? shown)
    addEventListener('hashchange', onHash)
    return () => removeEventListener('hashchange', onHash)
  }, [])
  const choices = useMemo(
    () => ({ language, setLanguage, digits, setDigits, appearance, setAppearance }),
    [language, digits, appearance, setAppearance],
  )
  return (
    <LanguageContext.Provider value={language}>
      <Session choices={choices} />
      <Toasts />
    </LanguageContext.Provider>
  )
}

/** Says of this tab that somebody is signed in, until they sign out: if nobody is any more, the session has ended. */
const SIGNED_IN = 'signed-in'

type Visitor = { me: Me } | { me: undefined; why: Arrival; code?: string; outcome?: Outcome; offer?: SignInOffer }

/** Asks the server who is signed in; a link with a code signs in first. */
function Session({ choices }: { choices: Choices }) {
  const [visitor, setVisitor] = useState<Visitor>()
  const [asked, setAsked] = useState<string>()
  const arriving = useLoading(async signal => {
    const request = inHash('authorize')
    if (request) noteApp(request)
    setAsked(askedByApp())
    setVisitor(await arrive(signal))
  }, [])

  useEffect(() => {
    const onEnded = () => setVisitor({ me: undefined, why: 'ended' })
    const onHash = () => (inHash('invitation') || inHash('authorize')) && arriving.reload()
    addEventListener('session-ended', onEnded)
    addEventListener('hashchange', onHash)
    return () => {
      removeEventListener('session-ended', onEnded)
      removeEventListener('hashchange', onHash)
    }
  }, [])
  useEffect(() => {
    if (visitor?.me) sessionStorage.setItem(SIGNED_IN, 'true')
  }, [visitor])
  const signOut = useCallback(async () => {
    await call('DELETE /sessions/current')
    if (visitor?.me) forgetDrafts(visitor.me)
    sessionStorage.removeItem(SIGNED_IN)
    setVisitor({ me: undefined, why: 'first' })
  }, [visitor])

  const refresh = useCallback(() => {
    // What is shown stays if the server cannot be asked right now.
    call('GET /me').then(
      ({ data: me }) => setVisitor(before => (JSON.stringify(before?.me) === JSON.stringify(me) ? before : { me })),
      () => undefined,
    )
  }, [])

  if (!visitor)
    return (
      <main class="alone">
        <Loaded of={arriving}>{() => null}</Loaded>
      </main>
    )
  if (visitor.me && asked) {
    const leave = () => {
      forgetApp()
      setAsked(undefined)
    }
    const props = { me: visitor.me, request: asked, choices, signOut, forget: forgetApp, onLeave: leave }
    return <LazyConsent {...props} />
  }
  if (visitor.me) return <Frame me={visitor.me} signOut={signOut} refresh={refresh} choices={choices} />
  return (
    <SignIn
      key={visitor.code}
      why={visitor.why}
      code={visitor.code}
      outcome={visitor.outcome}
      offer={visitor.offer}
      choices={choices}
      onSignedIn={me => setVisitor({ me })}
    />
  )
}

/** What a link says after its #, which browsers keep to themselves. */
const inHash = (name: string) => new URLSearchParams(location.hash.slice(1)).get(name)

async function arrive(signal: AbortSignal): Promise<Visitor> {
  // It is for whoever was invited, and not for whoever may be signed in to this browser.
  const invitation = inHash('invitation')
  if (invitation) return { me: undefined, why: 'invited', code: invitation }
  const code = inHash('code')
  if (code) {
    history.replaceState(null, '', location.pathname + location.search)
    const signedIn = await call('POST /sessions', { body: { code } }).catch(unlessRefused)
    return signedIn ? { me: signedIn.data } : { me: undefined, why: 'wrong link' }
  }
  const outcome = inHash('sign-in')
  if (outcome) {
    history.replaceState(null, '', location.pathname + location.search)
    return returned(outcome)
  }
  const answer = await call('GET /me', { signal }).catch(unlessRefused)
  if (answer) return { me: answer.data }
  return { me: undefined, why: sessionStorage.getItem(SIGNED_IN) ? 'ended' : 'first' }
}

/** From the identity provider. */
async function returned(outcome: string): Promise<Visitor> {
  const nobody = { me: undefined, why: 'first' } as const
  if (outcome !== 'done') return { ...nobody, outcome: isFailure(outcome) ? outcome : 'failed' }
  const back = await comeBack().catch(unlessRefused)
  if (!back) return { ...nobody, outcome: 'again' }
  return back.me ? { me: back.me } : { ...nobody, outcome, offer: back.offer }
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof CallFailed) || error.status !== 401) throw error
}
