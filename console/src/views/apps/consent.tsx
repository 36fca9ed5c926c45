import { useEffect, useMemo, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { AppRequest, Catalog, Me } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCatalog } from '../../api/use-catalog.ts'
import { type Choices, ChoicesBar } from '../../frame/choices.tsx'
import { permitted, type Standing, StandingContext, useCompany, useStanding } from '../../frame/standing.ts'
import { NoApiNote } from '../../parts/api-note.tsx'
import { Button } from '../../parts/button.tsx'
import { FailureNote } from '../../parts/failure.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Mark } from '../../parts/mark.tsx'
import { Sentence } from '../../parts/sentence.tsx'
import { Facts } from '../../parts/table.tsx'
import { Code, Name, Note } from '../../parts/text.tsx'
import { ExpiryField } from '../keys/expiry-field.tsx'
import { AccessField, type KeyDraft, Rights } from '../keys/key-form.tsx'
import { Matrix } from '../keys/matrix.tsx'
import { Abilities } from './abilities.tsx'
import { useAppsWords } from './words.ts'
import '../../style/consent.css'

interface ConsentProps {
  me: Me
  /** The id of what an app asks for. */
  request: string
  choices: Choices
  signOut: () => Promise<void>
  /** It is decided: a reload does not ask again. */
  forget: () => void
  /** Goes on to the console instead. */
  onLeave: () => void
}

/** An app asks for access, and the person decides. It fills the window: nothing else can be clicked by mistake. */
export function Consent({ me, request, choices, signOut, forget, onLeave }: ConsentProps) {
  const t = useAppsWords()
  const standing = useMemo<Standing>(
    () => ({
      me,
      may: permitted(me),
      company: me.company ? { ...me.company, closed_at: null } : undefined,
      zone: me.company?.time_zone ?? 'UTC',
      secondCalendar: me.company?.second_calendar != null,
      signOut,
      refresh: () => undefined,
    }),
    [me, signOut],
  )
  return (
    <StandingContext.Provider value={standing}>
      <main class="alone" id="content">
        <div class="sign-in consent">
          <p class="wordmark">
            <Mark />
            <span lang="en">Diwan</span> <span lang="ar">ديوان</span>
          </p>
          {me.company && standing.may('acceptAppRequest') ? (
            <Asked request={request} onLeave={onLeave} forget={forget} />
          ) : (
            <>
              <h1>{t.title}</h1>
              <Note tone="warn">
                {me.company ? (
                  <Sentence text={t.notAllowed} fill={{ company: <Name>{me.company.name}</Name> }} />
                ) : (
                  t.notPerson
                )}
              </Note>
              <div class="form-actions">
                <Button onClick={() => void signOut()}>{t.signOut}</Button>
                <Button quiet onClick={onLeave}>
                  {t.toConsole}
                </Button>
              </div>
            </>
          )}
          <ChoicesBar choices={choices} />
        </div>
      </main>
    </StandingContext.Provider>
  )
}

function Asked({ request, onLeave, forget }: Pick<ConsentProps, 'request' | 'onLeave' | 'forget'>) {
  const t = useAppsWords()
  const { id: company } = useCompany()
  const asked = useAnswer('GET /companies/{company}/app-requests/{request}', { params: { company, request } })
  const catalog = useCatalog()
  const isGone = asked.failure?.status === 404
  const app = asked.data?.data
  useEffect(() => {
    document.title = `${t.title} · Diwan`
  }, [t.title])
  if (isGone || !app || !catalog.data)
    return (
      <>
        <h1>{t.title}</h1>
        {isGone ? (
          <Note tone="warn">{t.gone}</Note>
        ) : (
          <Loaded of={asked}>{() => <Loaded of={catalog}>{() => null}</Loaded>}</Loaded>
        )}
        {isGone && (
          <div class="form-actions">
            <Button onClick={onLeave}>{t.toConsole}</Button>
          </div>
        )}
      </>
    )
  return <Decision app={app} catalog={catalog.data} forget={forget} />
}

interface DecisionProps {
  app: AppRequest
  catalog: Catalog
  forget: () => void
}

function Decision({ app, catalog, forget }: DecisionProps) {
  const t = useAppsWords()
  const { me } = useStanding()
  const { id: company, name } = useCompany()
  const [draft, setDraft] = useState<KeyDraft>(() => {
    const [{ access, operations, rights }] = catalog.presets as [Catalog['presets'][number]]
    return { name: app.name, access, operations, rights, expires: '', actsAs: undefined }
  })
  const set = (changes: Partial<KeyDraft>) => setDraft(before => ({ ...before, ...changes }))
  const isReady = useReadyToDecide()
  const [leaving, setLeaving] = useState(false)
  const params = { company, request: app.id }
  const go = (to: string) => {
    setLeaving(true)
    forget()
    location.assign(to)
  }
  const allow = useAction(async () => {
    const { access, operations, rights, expires } = draft
    const body = { access, operations, rights, ...(expires && { expires_at: expires }) }
    const { data } = await call('POST /companies/{company}/app-requests/{request}/accept', { params, body })
    go(data.redirect_to)
  })
  const deny = useAction(async () => {
    const { data } = await call('DELETE /companies/{company}/app-requests/{request}', { params })
    go(data.redirect_to)
  })
  if (leaving) return <p role="status">{t.leaving}</p>
  return (
    <>
      <h1>
        <Sentence text={t.wants} fill={{ app: <Name>{app.name}</Name>, company: <Name>{name}</Name> }} />
      </h1>
      <NoApiNote />
      <Facts
        of={[
          [t.app, <Name key="app">{app.name}</Name>],
          [t.home, <Code key="home">{app.host}</Code>],
          [t.returnsTo, <ReturnsTo key="to" of={app} />],
          [t.signsAs, <Name key="as">{me.user?.name}</Name>],
        ]}
      />
      <Note tone="warn">{t.unchecked}</Note>
      <Abilities of={draft} />
      <AccessField catalog={catalog} draft={draft} set={set} />
      <ExpiryField value={draft.expires} onChange={expires => set({ expires })} problem={allow.about('expires_at')} />
      <details>
        <summary>{t.choose}</summary>
        <div class="stack">
          <Matrix
            catalog={catalog}
            access={draft.access}
            chosen={draft.operations}
            onChange={operations => set({ operations })}
          />
          {draft.access === 'write' && <Rights catalog={catalog} draft={draft} set={set} />}
        </div>
      </details>
      <FailureNote failure={allow.rest() ?? deny.failure} />
      <div class="form-actions">
        <Button main busy={allow.busy} disabled={!isReady || deny.busy} onClick={() => void allow.run()}>
          {t.allow}
        </Button>
        <Button busy={deny.busy} disabled={allow.busy} onClick={() => void deny.run()}>
          {t.deny}
        </Button>
        {!isReady && <span class="hint">{t.wait}</span>}
      </div>
    </>
  )
}

function ReturnsTo({ of: { is_local, returns_to } }: { of: AppRequest }) {
  const t = useAppsWords()
  return (
    <>
      <Code>{returns_to}</Code> {is_local && <span class="quiet">({t.thisComputer})</span>}
    </>
  )
}

const READ_FIRST_MS = 1_500

/** False until the page has been in front of somebody for a moment: a click that was meant for something else decides nothing. */
function useReadyToDecide(): boolean {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const begin = () => {
      clearTimeout(timer)
      setReady(false)
      if (document.visibilityState === 'visible') timer = setTimeout(() => setReady(true), READ_FIRST_MS)
    }
    begin()
    document.addEventListener('visibilitychange', begin)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', begin)
    }
  }, [])
  return isReady
}
