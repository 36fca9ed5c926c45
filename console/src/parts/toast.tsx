import { useEffect, useState } from 'preact/hooks'
import { useCommonWords } from '../words/common.ts'
import { ActButton } from './act-button.tsx'
import { Button } from './button.tsx'

interface Said {
  id: number
  text: string
  undo?: (() => Promise<unknown>) | undefined
}

let last = 0
let listener: ((said: Said) => void) | undefined

/** Says in passing that something was done, with a way to take it back where there is one. */
export function say(text: string, undo?: () => Promise<unknown>): void {
  listener?.({ id: ++last, text, undo })
}

const SHOWN_MS = 8_000

export function Toasts() {
  const t = useCommonWords()
  const [all, setAll] = useState<Said[]>([])
  useEffect(() => {
    listener = said => {
      setAll(before => [...before.slice(-2), said])
      setTimeout(() => setAll(before => before.filter(({ id }) => id !== said.id)), SHOWN_MS)
    }
    return () => {
      listener = undefined
    }
  }, [])
  const drop = (id: number) => setAll(before => before.filter(said => said.id !== id))
  return (
    <div class="toasts" aria-live="polite">
      {all.map(({ id, text, undo }) => (
        <div class="toast" key={id}>
          <span dir="auto">{text}</span>
          {undo && (
            <ActButton quiet act={undo} onDone={() => drop(id)}>
              {t.undo}
            </ActButton>
          )}
          <Button quiet icon="close" aria-label={t.close} onClick={() => drop(id)} />
        </div>
      ))}
    </div>
  )
}
