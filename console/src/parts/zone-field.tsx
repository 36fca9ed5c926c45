import { useId } from 'preact/hooks'
import { Field } from './form.tsx'

interface ZoneFieldProps {
  label: string
  hint?: string
  problem?: string | undefined
  value: string
  onChange: (value: string) => void
}

/** A time zone, by its IANA name. The browser knows them all. */
export function ZoneField({ value, onChange, ...field }: ZoneFieldProps) {
  const id = useId()
  return (
    <Field {...field}>
      {described => (
        <>
          <input
            {...described}
            list={`${id}-zones`}
            dir="ltr"
            class="code"
            autoComplete="off"
            value={value}
            onInput={event => onChange(event.currentTarget.value)}
          />
          <datalist id={`${id}-zones`}>
            {Intl.supportedValuesOf('timeZone').map(zone => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}
