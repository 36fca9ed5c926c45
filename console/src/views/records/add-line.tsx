import { useEffect, useRef, useState } from 'preact/hooks'
import { CallFailed } from '../../api/call.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { onReach } from '../../live/hub.ts'
import { Button } from '../../parts/button.tsx'
import { useDraft } from '../../parts/drafts.ts'
import { FailureNote } from '../../parts/failure.tsx'
import { directionOf, focusOnArrival } from '../../parts/form.tsx'
import { Name } from '../../parts/text.tsx'
import { useUnsentWords } from '../../parts/unsent-words.ts'
import { useDoingWords } from './doing-words.ts'
import '../../style/work.css'

interface AddLineProps {
  /** Read out; shown in the empty field. */
  label: string
  placeholder: string
  /** Where what is written here is kept until it is stored. */
  place: string
  /** Where the key for a new task leads. */
  isForTasks?: boolean
  autoFocus?: boolean
  add: (text: string, idempotencyKey: string) => Promise<void>
}

/** Something that was entered and is not stored yet. Whatever happens, it is sent with the same key, and so stored once. */
interface Line {
  key: string
  text: string
  enteredAt: number
}

/** The server remembers keys for a day. What was left for longer is not sent again without being asked. */
const SENT_AGAIN_MS = 12 * 3_600_000

/** Adds one thing by one line: Enter shows it and leaves the field to the next. What could not be stored stays, with the reason. */
export function AddLine({ label, placeholder, place, isForTasks, autoFocus, add }: AddLineProps) {
  const t = useDoingWords()
  const unsent = useUnsentWords()
  const text = useDraft(`${place}/text`, '')
  const lines = useDraft<Line[]>(`${place}/lines`, [])
  const [failures, setFailures] = useState<Record<string, CallFailed | undefined>>({})
  const [sending, setSending] = useState<string[]>([])
  const last = useRef<Promise<void>>(Promise.resolve())

  const drop = ({ key }: Line) => lines.set(before => before.filter(line => line.key !== key))
  const send = (line: Line) => {
    setFailures(before => ({ ...before, [line.key]: undefined }))
    setSending(before => [...before, line.key])
    // One after the other, so that they are stored in the order in which they were entered.
    last.current = last.current.then(async () => {
      try {
        await add(line.text, line.key)
        drop(line)
      } catch (error) {
        const failure = error instanceof CallFailed ? error : new CallFailed(0, 'unexpected', String(error))
        setFailures(before => ({ ...before, [line.key]: failure }))
      } finally {
        setSending(before => before.filter(key => key !== line.key))
      }
    })
  }
  const sendAgain = useRef((_wasLeft: boolean) => {})
  sendAgain.current = wasLeft => {
    for (const line of lines.value) {
      const mayNotHaveArrived = wasLeft || failures[line.key]?.isUnreached
      if (mayNotHaveArrived && Date.now() - line.enteredAt < SENT_AGAIN_MS) send(line)
    }
  }
  useEffect(() => {
    sendAgain.current(true)
    return onReach(isReached => isReached && sendAgain.current(false))
  }, [])

  const submit = (event: Event) => {
    event.preventDefault()
    const entered = text.value.trim()
    if (entered === '') return
    const line = { key: newIdempotencyKey(), text: entered, enteredAt: Date.now() }
    lines.set(before => [...before, line])
    text.set('')
    send(line)
  }
  return (
    <>
      {lines.value.length > 0 && (
        <ul class="lines">
          {lines.value.map(line => (
            <li key={line.key}>
              <p class="row">
                <Name>{line.text}</Name>{' '}
                <span class="quiet">
                  {sending.includes(line.key) ? t.adding : !failures[line.key] && unsent.unsent}
                </span>
              </p>
              <FailureNote failure={failures[line.key]} />
              {!sending.includes(line.key) && (
                <p class="row">
                  <Button quiet onClick={() => send(line)}>
                    {t.tryAgain}
                  </Button>
                  <Button quiet onClick={() => drop(line)}>
                    {t.discard}
                  </Button>
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      <form class="add-line" onSubmit={submit} noValidate>
        <input
          aria-label={label}
          placeholder={placeholder}
          data-new-task={isForTasks ? '' : undefined}
          dir={directionOf(text.value)}
          autoComplete="off"
          ref={autoFocus ? focusOnArrival : undefined}
          value={text.value}
          onInput={event => text.set(event.currentTarget.value)}
        />
        {text.value.trim() !== '' && <Button type="submit">{t.add}</Button>}
      </form>
    </>
  )
}
