import { Button, Link } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Name } from '../parts/text.tsx'
import { useCommonWords } from '../words/common.ts'
import type { Choices } from './choices.tsx'
import { ChoicesBar } from './choices.tsx'
import { COMPANY_ROUTES, type Route, SERVICE_ROUTES } from './routes.ts'
import { useStanding } from './standing.ts'
import { useFrameWords } from './words.ts'

/** Everything that the server lets the reader see, and nothing else. */
export function Menu({ choices, path }: { choices: Choices; path: string }) {
  const t = useFrameWords()
  const common = useCommonWords()
  const { me, may, company, signOut } = useStanding()
  const shown = (routes: Route[]) => routes.filter(({ menu, needs }) => menu && (!needs || may(needs)))
  return (
    <nav class="menu" aria-label={t.menu}>
      <p class="wordmark wide">{common.diwan}</p>
      {company && (
        <p class="whose">
          <Name>{company.name}</Name>
        </p>
      )}
      {company && <Entries routes={shown(COMPANY_ROUTES)} path={path} />}
      <Entries routes={shown(SERVICE_ROUTES)} path={path} />
      <div class="menu-foot">
        <a class="entry" href="/docs">
          <Icon name="explorer" />
          {t.reference}
        </a>
        {me.user && me.company && (
          <Link class="entry" to={`/companies/${me.company.id}/people/${me.user.id}`}>
            <Icon name="person" />
            <Name>{me.user.name}</Name>
          </Link>
        )}
        <Button quiet class="entry" icon="leave" onClick={signOut}>
          {t.signOut}
        </Button>
        <ChoicesBar choices={choices} />
      </div>
    </nav>
  )
}

function Entries({ routes, path }: { routes: Route[]; path: string }) {
  const t = useFrameWords()
  const { company } = useStanding()
  const groups = Map.groupBy(routes, ({ menu }) => menu?.group)
  return (
    <>
      {[...groups].map(([group, entries]) => (
        <section key={group ?? ''}>
          {group && <h2>{t.groups[group]}</h2>}
          <ul>
            {entries.map(({ path: pattern, menu }) => {
              const to = pattern.replace(':company', String(company?.id))
              const isHere = path === to || (pattern.split('/').length > 3 && path.startsWith(`${to}/`))
              return (
                <li key={pattern}>
                  <Link class="entry" to={to} {...(isHere && { 'aria-current': 'page' as const })}>
                    {menu && <Icon name={menu.icon} />}
                    {menu && t.views[menu.label]}
                  </Link>
                </li>
              )
            })}
          </ul>
        </section>
      ))}
    </>
  )
}
