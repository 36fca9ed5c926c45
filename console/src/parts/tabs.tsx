import type { ComponentChildren } from 'preact'
import { useAddress } from '../frame/address.ts'
import { Link } from './button.tsx'

/** Views of one thing side by side. Each has its own URL, so they are links. */
export function Tabs({ label, tabs }: { label: string; tabs: [to: string, title: ComponentChildren][] }) {
  const { path } = useAddress()
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([to, title]) => (
        <Link key={to} to={to} {...(path === to && { 'aria-current': 'page' as const })}>
          {title}
        </Link>
      ))}
    </nav>
  )
}
