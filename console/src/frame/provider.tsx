import { useEffect, useState } from 'preact/hooks'
import { CallFailed, call } from '../api/call.ts'
import type { Me, SignIn } from '../api/types.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Name, Note } from '../parts/text.tsx'
import { go } from './address.ts'
import { useProviderWords } from './provider-words.ts'

// Signing in with the identity provider. The browser leaves the console for it, and comes back with what became of it after
// the #.

/** What became of it. `done` means that the provider has signed somebody in. */
export type Outcome = FailedOutcome | 'done'
type FailedOutcome = keyof ReturnType<typeof useProviderWords>['failures']

/** Anybody can write an address. */
export function isFailure(outcome: string): outcome is FailedOutcome {
  return Object.hasOwn(useProviderWords.en.failures, outcome)
}

/** The page that was open when the tab left for the provider. */
const LEFT_FROM = 'left-from'

/** Whoever came back, with the people that they may be. */
export type Returned = { me: Me } | { me: undefined; offer: SignIn }

/** Goes on where the provider has left off: with one person that is a matter of course. */
export async function comeBack(): Promise<Returned> {
  const { data: offer } = await call('GET /sign-in')
  const [person, ...others] = offer.people
  if (!person || others.length > 0) return { me: undefined, offer }
  return { me: await enter(person.company.id) }
}

async function enter(company_id: number): Promise<Me> {
  const { data } = await call('POST /sessions', { body: { company_id } })
  const leftFrom = sessionStorage.getItem(LEFT_FROM)
  sessionStorage.removeItem(LEFT_FROM)
  if (leftFrom?.startsWith('/console/')) go(leftFrom.slice('/console'.length), { replace: true })
  return data
}

interface WithProviderProps {
  /** What became of the last attempt, if there was one. */
  outcome: Outcome | undefined
  /** What the server offers, if it has been asked already. */
  offer: SignIn | undefined
  onSignedIn: (me: Me) => void
}

export function WithProvider({ outcome, offer: known, onSignedIn }: WithProviderProps) {
  const t = useProviderWords()
  const [offer, setOffer] = useState(known)
  useEffect(() => {
    // Tokens work even if this cannot be found out.
    if (!known) call('GET /sign-in').then(({ data }) => setOffer(data), ignore)
  }, [known])
  const provider = offer?.identity_provider
  if (!offer || !provider) return null
  return (
    <>
      {outcome && outcome !== 'done' && <Note tone="warn">{t.failures[outcome](provider.name)}</Note>}
      {outcome === 'done' && <Nobody offer={offer} name={provider.name} />}
      {offer.people.length > 1 && <Choice people={offer.people} onSignedIn={onSignedIn} />}
      <a class="button main" href={provider.url} onClick={() => sessionStorage.setItem(LEFT_FROM, leavingFrom())}>
        <Name>{provider.name}</Name>
      </a>
    </>
  )
}

const leavingFrom = () => location.pathname + location.search

function ignore(error: unknown): void {
  if (!(error instanceof CallFailed)) throw error
}

/** Says whom to ask. */
function Nobody({ offer: { identity, people }, name }: { offer: SignIn; name: string }) {
  const t = useProviderWords()
  if (people.length > 0) return null
  if (!identity) return <Note tone="warn">{t.failures.again(name)}</Note>
  const { email, email_verified } = identity
  if (email === null) return <Note tone="warn">{t.noAddress(name)}</Note>
  return <Note tone="warn">{email_verified ? t.nobody(name, email) : t.unverified(name, email)}</Note>
}

function Choice({ people, onSignedIn }: { people: SignIn['people']; onSignedIn: (me: Me) => void }) {
  const t = useProviderWords()
  return (
    <section class="stack">
      <p class="lead">{t.choose}</p>
      {people.map(({ company, user }) => (
        <Person key={company.id} company={company} user={user} onSignedIn={onSignedIn} />
      ))}
    </section>
  )
}

type PersonProps = SignIn['people'][number] & { onSignedIn: (me: Me) => void }

function Person({ company, user, onSignedIn }: PersonProps) {
  return (
    <ActButton act={async () => onSignedIn(await enter(company.id))}>
      <Name>{company.name}</Name> · <Name>{user.name}</Name>
    </ActButton>
  )
}
