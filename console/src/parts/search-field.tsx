import { useEffect, useRef, useState } from 'preact/hooks'
import { TextField } from './form.tsx'

const PAUSE_MS = 300

interface SearchFieldProps {
  label: string
  value: string
  /** Called when the typing pauses or the field is left, so that not every letter causes a request. */
  onChange: (value: string) => void
  hint?: string
  /** For ids: written from left to right in every language. */
  code?: boolean
  placeholder?: string
  autoFocus?: boolean
}

export function SearchField({ label, value, onChange, ...input }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const told = useRef(value)
  const tell = () => {
    if (text === told.current) return
    told.current = text
    onChange(text)
  }
  useEffect(() => {
    // Changed from elsewhere: by the back button, or because the filters were cleared.
    if (value !== told.current) setText(value)
    told.current = value
  }, [value])
  useEffect(() => {
    if (text === told.current) return
    const timer = setTimeout(tell, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <TextField
      label={label}
      type="search"
      value={text}
      onChange={setText}
      onBlur={tell}
      autoComplete="off"
      {...input}
    />
  )
}
