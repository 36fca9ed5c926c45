import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useAction } from '../api/use-action.ts'
import { useCommonWords } from '../words/common.ts'
import { Button } from './button.tsx'
import { Form, TextField } from './form.tsx'

interface DialogProps {
  title: ComponentChildren
  onClose: () => void
  children: ComponentChildren
  /** Not closed by Escape or by a click outside: its content is shown only once. */
  stays?: boolean
}

/** What had the focus when a dialog was opened, and what had it before that if that is in a dialog too. */
const openers = new WeakMap<Element, HTMLElement[]>()

function whoOpened(): HTMLElement[] {
  const focused = document.activeElement as HTMLElement
  const within = focused.closest('dialog')
  return [focused, ...((within && openers.get(within)) ?? [])]
}

/**
 * The browser's own dialog, which keeps the focus inside. We give it back ourselves: a field that takes the focus as it appears does
 * so before the dialog opens, and the browser would give it back to that field.
 */
export function Dialog({ title, onClose, stays, children }: DialogProps) {
  const t = useCommonWords()
  const element = useRef<HTMLDialogElement>(null)
  const [openedBy] = useState(whoOpened)
  const id = useId()
  useEffect(() => {
    const { current } = element
    if (!current) return
    openers.set(current, openedBy)
    current.showModal()
    return () => {
      current.close()
      openedBy.find(one => one.isConnected)?.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={event => {
        event.preventDefault()
        if (!stays) onClose()
      }}
    >
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        {!stays && <Button quiet icon="close" aria-label={t.close} onClick={onClose} />}
      </header>
      {children}
    </dialog>
  )
}

interface ConfirmProps {
  title: ComponentChildren
  /** What will happen, in words. */
  children: ComponentChildren
  verb: string
  act: () => Promise<unknown>
  onClose: () => void
  onDone?: () => void
  /** Has to be typed first, for actions that cannot be undone. */
  typed?: string
  /** For actions that are as serious but can be undone. */
  canBeUndone?: boolean
}

/** Asks before something happens; if it cannot be undone, the name of the thing has to be typed. */
export function Confirm({ title, children, verb, act, onClose, onDone, typed, canBeUndone }: ConfirmProps) {
  const t = useCommonWords()
  const [written, setWritten] = useState('')
  const action = useAction(act)
  const done = () => {
    onClose()
    onDone?.()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        action={action}
        submit={verb}
        danger
        disabled={typed !== undefined && typeable(written) !== typeable(typed)}
        onCancel={onClose}
        onDone={done}
      >
        <div>{children}</div>
        {typed !== undefined && (
          <>
            <p>
              {!canBeUndone && <strong>{t.cannotBeUndone} </strong>}
              {t.typeToConfirm}: <bdi class="typed">{typed}</bdi>
            </p>
            <TextField label={t.name} value={written} onChange={setWritten} autoFocus autoComplete="off" />
          </>
        )}
      </Form>
    </Dialog>
  )
}

/** A name as a keyboard can type it: without invisible marks. */
function typeable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cf}\p{Cc}]/gu, '')
    .split(/\s/)
    .filter(Boolean)
    .join(' ')
}
