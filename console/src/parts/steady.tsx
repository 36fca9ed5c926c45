import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'

interface SteadyProps {
  /** Everything that its content depends on, besides what that looks after itself. */
  on: unknown[]
  children: () => ComponentChildren
}

/** One of many: drawn again only when something has changed that it depends on. */
export function Steady({ on, children }: SteadyProps) {
  return useMemo(children, on)
}
