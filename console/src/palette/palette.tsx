import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Choices } from '../frame/choices.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { directionOf } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Name } from '../parts/text.tsx'
import { useCommonWords } from '../words/common.ts'
import { type Entry, matching, useActions, useViews } from './entries.ts'
import { useFoundRecords } from './use-found-records.ts'
import { usePaletteWords } from './words.ts'
import '../style/palette.css'

interface PaletteProps {
  choices: Choices
  listKeys: () => void
  onClose: () => void
}

/** Finds any record, view or action by its name. */
export function Palette({ choices, listKeys, onClose }: PaletteProps) {
  const t = usePaletteWords()
  const common = useCommonWords()
  const id = useId()
  const [text, setText] = useState('')
  const { records, isAsking } = useFoundRecords(text)
  const [views, actions] = [useViews(), useActions(choices, listKeys)]
  const isEmpty = text.trim() === ''
  const entries = isEmpty ? views : [...matching([...actions, ...views], text), ...records]
  const [at, setAt] = useState(0)
  // The list can become shorter while somebody chooses in it.
  const chosen = Math.min(at, entries.length - 1)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen, entries.length])

  const run = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    // After the dialog has given back the focus, which the action may move.
    setTimeout(entry.run)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && entries.length > 0) setAt((chosen + step + entries.length) % entries.length)
    else if (event.key === 'Enter') run(entries[chosen])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={t.title} onClose={onClose}>
      <div class="palette">
        <input
          role="combobox"
          aria-label={t.field}
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={entries.length > 0 ? `${id}-${chosen}` : undefined}
          placeholder={t.field}
          dir={directionOf(text)}
          autoComplete="off"
          spellcheck={false}
          autoFocus
          value={text}
          onInput={event => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
        <div id={id} class="entries" ref={list} role="listbox" aria-label={t.title}>
          {entries.map((entry, n) => (
            <Option
              key={entry.id}
              id={`${id}-${n}`}
              entry={entry}
              isChosen={n === chosen}
              startsGroup={entry.group !== entries[n - 1]?.group}
              onRun={() => run(entry)}
            />
          ))}
        </div>
        <p class="quiet" role="status">
          {isEmpty ? t.begin : isAsking ? common.loading : entries.length === 0 && t.nothing}
        </p>
      </div>
    </Dialog>
  )
}

interface OptionProps {
  id: string
  entry: Entry
  isChosen: boolean
  startsGroup: boolean
  onRun: () => void
}

function Option({ id, entry: { icon, label, about, group }, isChosen, startsGroup, onRun }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
    <div
      id={id}
      class="entry"
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onClick={onRun}
      onMouseDown={event => event.preventDefault()}
    >
      <Icon name={icon} />
      <Name>{label}</Name>
      {about && (
        <span class="quiet">
          <Name>{about}</Name>
        </span>
      )}
      {startsGroup && <span class="quiet group">{group}</span>}
    </div>
  )
}
