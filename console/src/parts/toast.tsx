import { useEffect, useRef, useState } from 'preact/hooks'
import { useCommonWords } from '../words/common.ts'
import { ActButton } from './act-button.tsx'
import { Button } from './button.tsx'
import { Told } from './text.tsx'

interface Said {
  id: number
  text: string
  undo?: (() => Promise<unknown>) | undefined
}

let last = 0
let listener: ((said: Said) => void) | undefined

/** Says briefly that something was done, with a way to undo it where there is one. */
export function say(text: string, undo?: () => Promise<unknown>): void {
  listener?.({ id: ++last, text, undo })
}

const SHOWN_MS = 8_000

export function Toasts() {
  const [all, setAll] = useState<Said[]>([])
  useEffect(() => {
    listener = said => setAll(before => [...before.slice(-2), said])
    return () => {
      listener = undefined
    }
  }, [])
  const drop = (id: number) => setAll(before => before.filter(said => said.id !== id))
  return (
    <div class="toasts" aria-live="polite">
      {all.map(said => (
        <Toast key={said.id} said={said} drop={() => drop(said.id)} />
      ))}
    </div>
  )
}

/** Disappears by itself, but not while somebody is using it. */
function Toast({ said: { text, undo }, drop }: { said: Said; drop: () => void }) {
  const t = useCommonWords()
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!element.current?.matches(':hover, :focus-within')) drop()
    }, SHOWN_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <div class="toast" ref={element}>
      <Told>{text}</Told>
      {undo && (
        <ActButton quiet act={undo} onDone={drop}>
          {t.undo}
        </ActButton>
      )}
      <Button quiet icon="close" aria-label={t.close} onClick={drop} />
    </div>
  )
}
