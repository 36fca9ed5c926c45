import type { ComponentChildren } from 'preact'
import { useAction } from '../api/use-action.ts'
import { Button } from './button.tsx'
import { FailureNote } from './failure.tsx'
import type { IconName } from './icon.tsx'

interface ActButtonProps {
  act: () => Promise<unknown>
  onDone?: () => void
  icon?: IconName
  quiet?: boolean
  /** Read out instead of the text, where several buttons have the same text. */
  label?: string
  children: ComponentChildren
}

/** A button that does something at once. The server's message is shown below it. */
export function ActButton({ act, onDone, label, children, ...button }: ActButtonProps) {
  const action = useAction(act)
  const onClick = async () => {
    if (await action.run()) onDone?.()
  }
  return (
    <>
      <Button {...button} aria-label={label} busy={action.busy} onClick={onClick}>
        {children}
      </Button>
      <FailureNote failure={action.failure} />
    </>
  )
}
