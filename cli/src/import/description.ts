import { trimmed } from './names.ts'

export type Extra = [name: string, value: string]

/** The notes, followed by what has no place in a task, one line each. */
export function describe(notes: string, extras: Extra[], origin: string | undefined): string {
  const lines = extras.flatMap(([name, value]) => {
    const text = trimmed(value)
    return text === '' ? [] : [name === '' ? text : `${labelOf(name)}: ${text}`]
  })
  const text = notes.trim() === '' ? '' : notes.trimEnd()
  if (lines.length === 0) return text
  const block = [origin === undefined ? 'Imported' : `Imported from ${origin}`, ...lines].join('\n')
  return text === '' ? block : `${text}\n\n${block}`
}

/** Redmine uses this name for the number of an issue. */
function labelOf(name: string): string {
  return name === '#' ? 'Number' : trimmed(name)
}
