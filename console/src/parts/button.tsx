import type { ComponentChildren, JSX } from 'preact'
import { go, href } from '../frame/address.ts'
import { Icon, type IconName } from './icon.tsx'

interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'icon'> {
  main?: boolean
  danger?: boolean
  quiet?: boolean
  busy?: boolean
  icon?: IconName
}

export function Button({ main, danger, quiet, busy, icon, children, class: extra, ...rest }: ButtonProps) {
  const classes = ['button', main && 'main', danger && 'danger', quiet && 'quiet-button', extra]
    .filter(Boolean)
    .join(' ')
  return (
    <button type="button" {...rest} class={classes} aria-busy={busy} disabled={rest.disabled || busy}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

interface LinkProps {
  to: string
  class?: string
  children: ComponentChildren
  'aria-current'?: 'page'
  'aria-label'?: string
  onClick?: () => void
}

/** A link within the console: a click changes the view without a reload; with a modifier key the browser does as usual. */
export function Link({ to, children, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    onClick?.()
    go(to)
  }
  return (
    <a href={href(to)} onClick={follow} {...rest}>
      {children}
    </a>
  )
}
