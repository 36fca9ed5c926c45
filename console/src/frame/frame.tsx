import { useEffect, useMemo, useState } from 'preact/hooks'
import { onUnderway } from '../api/call.ts'
import type { Me } from '../api/types.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Live } from '../live/live.tsx'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { SandboxBadge } from '../parts/sandbox-note.tsx'
import { Name } from '../parts/text.tsx'
import { useCommonWords } from '../words/common.ts'
import { go, match, useAddress } from './address.ts'
import type { Choices } from './choices.tsx'
import { Menu, Wordmark } from './menu.tsx'
import { COMPANY_ROUTES, type Route, SERVICE_ROUTES } from './routes.ts'
import { type Opened, Shortcuts } from './shortcuts.tsx'
import { permitted, permittedWhenClosed, type Standing, StandingContext } from './standing.ts'
import { View } from './view.tsx'
import { useFrameWords } from './words.ts'

interface FrameProps {
  me: Me
  signOut: () => Promise<void>
  refresh: () => void
  choices: Choices
}

/** What surrounds every view: the menu, and the company that is shown. */
export function Frame({ me, signOut, refresh, choices }: FrameProps) {
  const { path } = useAddress()
  const companyId = Number(match('/companies/:company', path.split('/').slice(0, 3).join('/'))?.company)
  const home = me.company ? `/companies/${me.company.id}/home` : '/companies'
  useEffect(() => {
    if (path === '/') go(home, { replace: true })
  }, [path, home])

  const standing = useMemo<Standing>(
    () => ({
      me,
      may: permitted(me),
      company: undefined,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      secondCalendar: false,
      signOut,
      refresh,
    }),
    [me, signOut, refresh],
  )
  if (!companyId) return <Shell standing={standing} choices={choices} />
  if (me.company?.id === companyId) {
    const { time_zone: zone, second_calendar } = me.company
    // To its own people, a company that is closed is not there any more.
    const company = { ...me.company, closed_at: null }
    const own = { ...standing, company, zone, secondCalendar: second_calendar !== null }
    return <Shell standing={own} choices={choices} />
  }
  return <ForeignCompany key={companyId} id={companyId} standing={standing} choices={choices} />
}

/** The operator's view of a company. For anybody else there is nothing at this URL, and the server says so. */
function ForeignCompany({ id, standing, choices }: { id: number; standing: Standing; choices: Choices }) {
  const company = useAnswer('GET /companies/{company}', { params: { company: String(id) } })
  const data = company.data?.data
  if (!data) return <Shell standing={standing} choices={choices} instead={<Loaded of={company}>{() => null}</Loaded>} />
  const inside = {
    ...standing,
    company: data,
    may: data.closed_at ? permittedWhenClosed(standing.may) : standing.may,
    zone: data.time_zone,
    secondCalendar: data.second_calendar !== null,
    refresh: company.reload,
  }
  return <Shell standing={inside} choices={choices} />
}

interface ShellProps {
  standing: Standing
  choices: Choices
  /** Shown in place of a view. */
  instead?: preact.ComponentChildren
}

function Shell({ standing, choices, instead }: ShellProps) {
  const t = useFrameWords()
  const { path } = useAddress()
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(false), [path])
  useEffect(() => {
    if (!open) return
    const closeOnEscape = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setOpen(false)
      document.querySelector<HTMLElement>('.bar button')?.focus()
    }
    addEventListener('keydown', closeOnEscape)
    return () => removeEventListener('keydown', closeOnEscape)
  }, [open])
  const [opened, openFromKeys] = useState<Opened>()
  const found = routeOf(standing, path)
  return (
    <StandingContext.Provider value={standing}>
      <a class="skip" href="#content">
        {t.skip}
      </a>
      {standing.company && standing.may('readChanges') && <Live company={standing.company.id} />}
      <Shortcuts choices={choices} opened={opened} open={openFromKeys} />
      <div class="frame" data-menu={open ? 'open' : undefined}>
        <header class="bar">
          <Button
            quiet
            icon={open ? 'close' : 'menu'}
            aria-label={t.menu}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          />
          <Wordmark />
          {standing.company && <Name>{standing.company.name}</Name>}
          {standing.company && <SandboxBadge of={standing.company} />}
        </header>
        <Menu choices={choices} path={path} onOpen={openFromKeys} />
        {/* Where the menu covers the view, it goes when somebody goes on to the view. */}
        <main id="content" tabIndex={-1} onFocusCapture={() => setOpen(false)}>
          <Progress />
          {instead ?? (found ? <View key={path} {...found} /> : path !== '/' && <NothingHere />)}
        </main>
      </div>
    </StandingContext.Provider>
  )
}

function routeOf(
  { may, company }: Standing,
  path: string,
): { route: Route; params: Record<string, string> } | undefined {
  for (const route of [...(company ? COMPANY_ROUTES : []), ...SERVICE_ROUTES]) {
    const params = match(route.path, path)
    if (params && (!route.needs || may(route.needs))) return { route, params }
  }
}

function NothingHere() {
  const t = useCommonWords()
  return (
    <div class="empty">
      <Icon name="search" />
      <h1>{t.notFound}</h1>
    </div>
  )
}

/** Shown while something takes longer than a moment. */
function Progress() {
  const t = useCommonWords()
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onUnderway(underway => {
      if (underway > 0) timer ??= setTimeout(() => setSlow(true), 700)
      else {
        clearTimeout(timer)
        timer = undefined
        setSlow(false)
      }
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
  return slow ? <div class="progress" role="progressbar" aria-label={t.loading} /> : null
}
