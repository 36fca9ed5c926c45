import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useCommonWords } from '../words/common.ts'
import { Link } from './button.tsx'
import { ClosedNote } from './closed-note.tsx'
import { Icon } from './icon.tsx'
import { SandboxNote } from './sandbox-note.tsx'

interface PageProps {
  /** Also the title of the window. */
  title: string
  /** The title, if it contains a name from people; otherwise the title itself is used. */
  heading?: ComponentChildren
  /** What this belongs to: shown above the title, as a way back. */
  above?: { to: string; label: ComponentChildren }
  lead?: ComponentChildren
  actions?: ComponentChildren
  children: ComponentChildren
}

/** The layout of every view. */
export function Page({ title, heading, above, lead, actions, children }: PageProps) {
  const t = useCommonWords()
  useEffect(() => {
    document.title = `${title} · ${t.diwan}`
  }, [title, t])
  return (
    <>
      <header class="page-head">
        <div>
          {above && (
            <p class="above">
              <Link to={above.to}>{above.label}</Link>
              <Icon name="next" />
            </p>
          )}
          <h1>{heading ?? title}</h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="page-actions">{actions}</div>}
      </header>
      <ClosedNote />
      <SandboxNote />
      {children}
    </>
  )
}

interface CardProps {
  title?: ComponentChildren
  lead?: ComponentChildren
  actions?: ComponentChildren
  children: ComponentChildren
}

export function Card({ title, lead, actions, children }: CardProps) {
  return (
    <section class="card">
      {(title || actions) && (
        <header class="card-head">
          <h2>{title}</h2>
          {actions && <div class="row">{actions}</div>}
        </header>
      )}
      {lead && <p class="card-lead">{lead}</p>}
      {children}
    </section>
  )
}
