import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { go } from './address.ts'
import type { Choices } from './choices.tsx'
import { isMeant } from './single-keys.ts'
import { useStanding } from './standing.ts'

/** Each key with what the same key types on an Arabic keyboard. */
const KEYS = { newTask: ['n', 'ى'], search: ['/', 'ظ'], list: ['?', '؟'], palette: ['k', 'ن'] } as const

/** What the keyboard can open from everywhere. */
export type Opened = 'palette' | 'keys' | undefined

interface ShortcutsProps {
  choices: Choices
  opened: Opened
  open: (what: Opened) => void
}

/** What keys do: Ctrl-K everywhere, and single ones wherever nobody is writing. */
export function Shortcuts({ choices, opened, open }: ShortcutsProps) {
  const { company, may } = useStanding()
  const search = company && may('search') ? `/companies/${company.id}/search` : undefined
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const is = (keys: readonly string[]) => keys.includes(event.key.toLowerCase())
      if (isWithControl(event) && is(KEYS.palette)) open('palette')
      else if (!isMeant(event)) return
      else if (!pressed(is)) return
      event.preventDefault()
    }
    const pressed = (is: (keys: readonly string[]) => boolean): boolean => {
      const newTask = document.querySelector<HTMLElement>('[data-new-task]')
      if (is(KEYS.newTask) && newTask) newTask.focus()
      else if (is(KEYS.search) && search) go(search)
      else if (is(KEYS.list)) open('keys')
      else return false
      return true
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [search, open])
  const close = () => open(undefined)
  if (opened === 'palette')
    return (
      <Later
        key="palette"
        load={async () => {
          const { Palette } = await import('../palette/palette.tsx')
          return () => <Palette choices={choices} listKeys={() => open('keys')} onClose={close} />
        }}
        onFailed={close}
      />
    )
  if (opened === 'keys')
    return (
      <Later
        key="keys"
        load={async () => {
          const { KeyList } = await import('./key-list.tsx')
          return () => <KeyList onClose={close} />
        }}
        onFailed={close}
      />
    )
  return null
}

function isWithControl({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !altKey && !shiftKey && !document.querySelector('dialog[open]')
}

/** Loaded when it is asked for, as views are. */
function Later({ load, onFailed }: { load: () => Promise<ComponentType>; onFailed: () => void }) {
  const [loaded, setLoaded] = useState<{ part: ComponentType }>()
  useEffect(() => {
    load().then(part => setLoaded({ part }), onFailed)
  }, [])
  return loaded ? <loaded.part /> : null
}
