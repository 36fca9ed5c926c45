import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { CallFailed, call } from '../api/call.ts'
import type { Me } from '../api/types.ts'
import { useLoading } from '../api/use-answer.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Toasts } from '../parts/toast.tsx'
import { LANGUAGES, type Language, LanguageContext, preferredLanguage } from '../words/language.ts'
import { useAppearance } from './appearance.ts'
import type { Choices } from './choices.tsx'
import { Frame } from './frame.tsx'
import { SignIn } from './sign-in.tsx'

/** The whole console: in a language, for whoever is signed in. */
export function App() {
  const [language, setLanguage] = useState<Language>(preferredLanguage)
  const [appearance, setAppearance] = useAppearance()
  useEffect(() => {
    document.documentElement.lang = language
    document.documentElement.dir = LANGUAGES[language].dir
    localStorage.setItem('language', language)
  }, [language])
  const choices = useMemo(
    () => ({ language, setLanguage, appearance, setAppearance }),
    [language, appearance, setAppearance],
  )
  return (
    <LanguageContext.Provider value={language}>
      <Session choices={choices} />
      <Toasts />
    </LanguageContext.Provider>
  )
}

type Visitor = { me: Me } | { me: undefined; why: 'first' | 'ended' | 'wrong link' }

/** Asks the server who is signed in; a link with a code signs in first. */
function Session({ choices }: { choices: Choices }) {
  const [visitor, setVisitor] = useState<Visitor>()
  const arriving = useLoading(async signal => setVisitor(await arrive(signal)), [])

  useEffect(() => {
    const onEnded = () => setVisitor({ me: undefined, why: 'ended' })
    addEventListener('session-ended', onEnded)
    return () => removeEventListener('session-ended', onEnded)
  }, [])
  const signOut = useCallback(async () => {
    await call('DELETE /sessions/current')
    setVisitor({ me: undefined, why: 'first' })
  }, [])

  const refresh = useCallback(() => {
    // What is shown stays if the server cannot be asked right now.
    call('GET /me').then(
      ({ data: me }) => setVisitor({ me }),
      () => undefined,
    )
  }, [])

  if (!visitor)
    return (
      <main class="alone">
        <Loaded of={arriving}>{() => null}</Loaded>
      </main>
    )
  if (visitor.me) return <Frame me={visitor.me} signOut={signOut} refresh={refresh} choices={choices} />
  return <SignIn why={visitor.why} choices={choices} onSignedIn={me => setVisitor({ me })} />
}

async function arrive(signal: AbortSignal): Promise<Visitor> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code) {
    history.replaceState(null, '', location.pathname + location.search)
    const signedIn = await call('POST /sessions', { body: { code } }).catch(unlessRefused)
    return signedIn ? { me: signedIn.data } : { me: undefined, why: 'wrong link' }
  }
  const answer = await call('GET /me', { signal }).catch(unlessRefused)
  return answer ? { me: answer.data } : { me: undefined, why: 'first' }
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof CallFailed) || error.status !== 401) throw error
}
