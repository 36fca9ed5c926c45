import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { useCommonWords } from '../words/common.ts'
import { isolate } from '../words/language.ts'
import { Button } from './button.tsx'
import { directionOf, Field } from './form.tsx'

interface ChosenFieldProps {
  label: string
  hint?: ComponentChildren
  values: string[]
  onChange: (values: string[]) => void
  /** What can be chosen; the field suggests them. */
  options: [value: string, label: string][]
  /** How a chosen value is shown. */
  show: (value: string) => ComponentChildren
  /** Called with what is being typed, where the options depend on it. */
  onType?: (text: string) => void
  /** Whether values other than the options can be chosen too. */
  free?: boolean
}

/** Several values, chosen one after another; each can be taken away again. */
export function ChosenField({ label, hint, values, onChange, options, show, onType, free }: ChosenFieldProps) {
  const t = useCommonWords()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const add = (value: string) => {
    setText('')
    onType?.('')
    if (!values.includes(value)) onChange([...values, value])
  }
  const take = (value: string) => {
    onChange(values.filter(other => other !== value))
    // The button that was pressed disappears with its value.
    input.current?.focus()
  }
  const type = (value: string) => {
    if (options.some(([known]) => known === value)) return add(value)
    setText(value)
    onType?.(value)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (free && text.trim()) add(text.trim())
  }
  return (
    <Field label={label} hint={hint}>
      {described => (
        <>
          <input
            {...described}
            ref={input}
            list={`${id}-options`}
            dir={directionOf(text)}
            autoComplete="off"
            value={text}
            onInput={event => type(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onBlur={() => free && text.trim() && add(text.trim())}
          />
          <datalist id={`${id}-options`}>
            {options.map(([value, name]) => (
              <option key={value} value={value} label={name} />
            ))}
          </datalist>
          {values.length > 0 && (
            <ul class="chosen">
              {values.map(value => (
                <li key={value}>
                  {show(value)}
                  <Button quiet icon="close" aria-label={`${t.remove} ${isolate(value)}`} onClick={() => take(value)} />
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Field>
  )
}
