import { UnreadCount } from '../live/unread-count.tsx'
import { Button, Link } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Mark } from '../parts/mark.tsx'
import { SandboxBadge } from '../parts/sandbox-note.tsx'
import { Name } from '../parts/text.tsx'
import { useCommonWords } from '../words/common.ts'
import { Account } from './account.tsx'
import type { Choices } from './choices.tsx'
import { useFolded } from './folded.ts'
import { COMPANY_ROUTES, type Route, SERVICE_ROUTES } from './routes.ts'
import type { Opened } from './shortcuts.tsx'
import { useStanding } from './standing.ts'
import { useFrameWords } from './words.ts'

/** Everything that the server lets the reader see, and nothing else. */
export function Menu({ choices, path, onOpen }: { choices: Choices; path: string; onOpen: (what: Opened) => void }) {
  const t = useFrameWords()
  const { may, company } = useStanding()
  const shown = (routes: Route[]) => routes.filter(({ menu, needs }) => menu && (!needs || may(needs)))
  return (
    <nav class="menu" aria-label={t.menu}>
      <div class="menu-head">
        <Wordmark />
        {company && (
          <p class="whose" title={company.name}>
            <Name>{company.name}</Name> <SandboxBadge of={company} />
          </p>
        )}
      </div>
      <div class="menu-entries">
        <Button quiet class="entry" icon="search" onClick={() => onOpen('palette')}>
          {t.palette} <kbd dir="ltr">Ctrl K</kbd>
        </Button>
        {company && <Entries routes={shown(COMPANY_ROUTES)} path={path} />}
        <Entries routes={shown(SERVICE_ROUTES)} path={path} />
        <div>
          <a class="entry" href={`/docs?lang=${choices.language}`}>
            <Icon name="explorer" />
            {t.reference}
          </a>
          <Button quiet class="entry" icon="keyboard" onClick={() => onOpen('keys')}>
            {t.keyboard}
          </Button>
        </div>
      </div>
      <Account choices={choices} />
    </nav>
  )
}

/** Leads home, from everywhere. */
export function Wordmark() {
  const common = useCommonWords()
  return (
    <Link class="wordmark" to="/">
      <Mark />
      {common.diwan}
    </Link>
  )
}

function Entries({ routes, path }: { routes: Route[]; path: string }) {
  const groups = Map.groupBy(routes, ({ menu }) => menu?.group)
  const [folded, toggle] = useFolded()
  return (
    <>
      {[...groups].map(([group, entries]) => (
        <section key={group ?? ''}>
          {group && <GroupHead group={group} isFolded={folded.has(group)} onToggle={() => toggle(group)} />}
          <EntryList routes={entries} path={path} isFolded={group !== undefined && folded.has(group)} />
        </section>
      ))}
    </>
  )
}

interface GroupHeadProps {
  group: NonNullable<NonNullable<Route['menu']>['group']>
  isFolded: boolean
  onToggle: () => void
}

function GroupHead({ group, isFolded, onToggle }: GroupHeadProps) {
  const t = useFrameWords()
  return (
    <h2>
      <button type="button" class="group-head" aria-expanded={!isFolded} onClick={onToggle}>
        {t.groups[group]}
        <Icon name="next" />
      </button>
    </h2>
  )
}

/** The entries of a group; of a folded one, only where the reader is. */
function EntryList({ routes, path, isFolded }: { routes: Route[]; path: string; isFolded: boolean }) {
  const t = useFrameWords()
  const { company } = useStanding()
  return (
    <ul>
      {routes.map(({ path: pattern, menu }) => {
        const to = pattern.replace(':company', String(company?.id))
        const isHere = path === to || (pattern.split('/').length > 3 && path.startsWith(`${to}/`))
        if (isFolded && !isHere) return null
        return (
          <li key={pattern}>
            <Link class="entry" to={to} {...(isHere && { 'aria-current': 'page' as const })}>
              {menu && <Icon name={menu.icon} />}
              {menu && t.views[menu.label]}
              {menu?.label === 'home' && <UnreadCount />}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
