import { useRef, useState } from 'preact/hooks'
import { useStanding } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { useDraft } from '../../parts/drafts.ts'
import { directionOf, Field } from '../../parts/form.tsx'
import { HijriDay } from '../../parts/time.tsx'
import { useUnsentWords } from '../../parts/unsent-words.ts'

interface DraftFieldProps {
  label: string
  hint?: string
  value: string
  /** Where what is written here is kept until it is stored. */
  place: string
  /** Tells whether it was stored in place of what stood there; what was written stays in the field until it is. */
  onSave: (value: string, before: string) => Promise<boolean>
  /** Several lines. */
  long?: boolean
  /** It cannot be left empty. */
  required?: boolean
}

/** Text that is edited in place: stored when its writer leaves the field or presses Enter; Escape brings back what was there. */
export function DraftField({ label, hint, value, place, onSave, long, required }: DraftFieldProps) {
  const t = useUnsentWords()
  /** What is written, and what stood there when its writer began. */
  const { value: draft, set: setDraft, isLeft } = useDraft<{ text: string; before: string } | null>(place, null)
  const [isRefused, setRefused] = useState(false)
  const text = draft?.text ?? value
  /** What is being stored. It is shown as if it were stored already, and may still come back. */
  const underway = useRef<string | undefined>(undefined)
  const save = async () => {
    if (draft === null || draft.text === underway.current) return
    if (draft.text === value || (required && draft.text.trim() === '')) return setDraft(null)
    // What is still being stored was written here, and will have been by then.
    const before = underway.current ?? draft.before
    underway.current = draft.text
    const isStored = await onSave(draft.text, before)
    if (underway.current === draft.text) underway.current = undefined
    setRefused(!isStored)
    if (isStored) setDraft(now => (now?.text === draft.text ? null : now && { ...now, before: draft.text }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'Enter' && (!long || event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      save()
    }
    if (key === 'Escape' && draft !== null) {
      // Only the draft is given up; another Escape closes what it is in.
      event.stopPropagation()
      setDraft(null)
    }
  }
  const props = {
    value: text,
    dir: directionOf(text),
    onInput: (event: { currentTarget: { value: string } }) => {
      const text = event.currentTarget.value
      setDraft(now => ({ text, before: now?.before ?? value }))
    },
    onBlur: save,
    onKeyDown,
  }
  return (
    <Field label={label} hint={draft && (isLeft || isRefused) ? t.unsaved : hint}>
      {described => (
        <>
          {long ? <textarea {...described} {...props} /> : <input {...described} {...props} />}
          {draft && (isLeft || isRefused) && (
            <span class="row">
              <Button quiet onClick={save}>
                {t.save}
              </Button>
              <Button quiet onClick={() => setDraft(null)}>
                {t.discard}
              </Button>
            </span>
          )}
        </>
      )}
    </Field>
  )
}

interface DayFieldProps {
  label: string
  value: string | null
  onSave: (value: string | null) => void
}

/** A day that is edited in place; where the company wants it, with the Hijri date below. */
export function DayField({ label, value, onSave }: DayFieldProps) {
  const { secondCalendar } = useStanding()
  // While a year is typed, the field already holds years such as 0002.
  const isWhole = (day: string) => day === '' || day >= '1900'
  const save = (day: string) => {
    if (isWhole(day) && day !== (value ?? '')) onSave(day || null)
  }
  return (
    <Field label={label} hint={secondCalendar && value && <HijriDay on={value} />}>
      {described => (
        <input {...described} type="date" value={value ?? ''} onChange={event => save(event.currentTarget.value)} />
      )}
    </Field>
  )
}
