import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'
import { ownDirection } from '../../../src/lib/base-direction.ts'
import type { Action } from '../api/use-action.ts'
import { useCommonWords } from '../words/common.ts'
import { Button } from './button.tsx'
import { FailureNote } from './failure.tsx'
import { Told } from './text.tsx'

interface FormProps {
  action: Action<[]>
  /** On the button. */
  submit: string
  danger?: boolean
  disabled?: boolean
  /** Why it cannot be sent yet; shown next to the button. */
  missing?: string | undefined
  onCancel?: () => void
  onDone?: () => void
  children: ComponentChildren
}

/** A form: its fields, what the server said, its button. Enter submits. */
export function Form({ action, submit, danger, missing, onCancel, onDone, children, ...rest }: FormProps) {
  const t = useCommonWords()
  const disabled = rest.disabled || missing !== undefined
  const onSubmit = async (event: Event) => {
    event.preventDefault()
    if (!disabled && (await action.run())) onDone?.()
  }
  return (
    <form class="form" onSubmit={onSubmit} noValidate>
      {children}
      <FailureNote failure={action.rest()} />
      <div class="form-actions">
        <Button type="submit" main={!danger} danger={danger} busy={action.busy} disabled={disabled}>
          {submit}
        </Button>
        {onCancel && <Button onClick={onCancel}>{t.cancel}</Button>}
        {missing && <span class="hint">{missing}</span>}
      </div>
    </form>
  )
}

interface FieldProps {
  label: string
  hint?: ComponentChildren
  /** What the server said about this field. */
  problem?: string | undefined
  children: (input: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': boolean
  }) => ComponentChildren
}

export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ') || undefined
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': described, 'aria-invalid': Boolean(problem) })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          <Told>{problem}</Told>
        </p>
      )}
    </div>
  )
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  type?: 'text' | 'email' | 'url' | 'password' | 'number' | 'date' | 'datetime-local' | 'search'
  placeholder?: string
  required?: boolean
  autoFocus?: boolean
  autoComplete?: JSX.IntrinsicElements['input']['autoComplete']
  maxLength?: number
  /** Codes, URLs and figures are written from left to right in every language. */
  code?: boolean
  min?: number
  max?: number
}

export function TextField({ label, hint, problem, value, onChange, code, autoFocus, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {described => (
        <input
          {...described}
          {...(input as JSX.IntrinsicElements['input'])}
          // biome-ignore lint/a11y/noAutofocus: only where a dialog or a page has just opened for this field
          autoFocus={autoFocus}
          // Browsers obey the attribute only once in a page.
          ref={autoFocus ? focusOnArrival : undefined}
          dir={code || ['url', 'number', 'password'].includes(input.type ?? '') ? 'ltr' : directionOf(value)}
          class={code ? 'code' : undefined}
          value={value}
          onInput={event => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

export function focusOnArrival(input: HTMLInputElement | null): void {
  input?.focus()
}

/** For what comes with an answer: whoever has gone on elsewhere meanwhile stays there. */
export function focusBack(field: HTMLTextAreaElement | null): void {
  const focused = document.activeElement
  if (focused?.contains(field) || field?.form?.contains(focused)) field?.focus()
}

/** The direction of the text; that of the page while the field is empty. */
export function directionOf(value: string): 'auto' | 'rtl' | undefined {
  return value === '' ? undefined : ownDirection(value)
}

interface SelectFieldProps<V extends string> extends Omit<FieldProps, 'children'> {
  value: V
  onChange: (value: V) => void
  options: readonly (readonly [value: V, label: string])[]
}

export function SelectField<V extends string>({ label, hint, problem, value, onChange, options }: SelectFieldProps<V>) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {described => (
        <select {...described} value={value} onChange={event => onChange(event.currentTarget.value as V)}>
          {options.map(([option, name]) => (
            <option key={option} value={option}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/**
 * The options of a filter, with one for all. A value in the URL that is not an option is shown all the same: the server says what is
 * wrong with it.
 */
export function offered(
  all: string,
  value: string,
  options: readonly (readonly [value: string, label: string])[],
  unknown = value,
): (readonly [string, string])[] {
  const isKnown = value === '' || options.some(([option]) => option === value)
  return [['', all], ...(isKnown ? [] : [[value, unknown] as const]), ...options]
}

interface CheckFieldProps {
  label: ComponentChildren
  hint?: ComponentChildren
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  name?: string
}

export function CheckField({ label, hint, checked, onChange, disabled, name }: CheckFieldProps) {
  const id = useId()
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        name={name}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={event => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

type Value = [value: string, set: (value: string) => void]

/** The first and the last day of a span, either of which may be left open. */
export function FromTo({ from, to }: { from: Value; to: Value }) {
  const t = useCommonWords()
  return (
    <div class="from-to">
      <TextField label={t.from} type="date" value={from[0]} onChange={from[1]} />
      <TextField label={t.to} type="date" value={to[0]} onChange={to[1]} />
    </div>
  )
}

/** Filters in a row above what they filter. */
export function Filters({ children }: { children: ComponentChildren }) {
  return <div class="filters">{children}</div>
}
