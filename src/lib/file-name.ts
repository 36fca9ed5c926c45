// Names that Windows reserves for devices, whatever follows the dot.
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i
// They let `exe.pdf` be read as `fdp.exe`. Marks that only hint at a direction are harmless, and Arabic names use them.
const DIRECTION_OVERRIDE = /[\u202a-\u202e\u2066-\u2069]/

/** What is wrong with a name for a file or a folder; undefined when nothing is. A name is never a path. */
export function fileNameProblem(name: string) {
  if (/[/\\]/.test(name)) return 'must be a name without / or \\'
  if (name.trim() === '.' || name.trim() === '..') return "can't be . or .."
  if (/[\t\r\n]/.test(name)) return 'must be on one line'
  if (DIRECTION_OVERRIDE.test(name)) return 'must not contain characters that override the direction of text'
  if (RESERVED.test(name.trim())) return 'is reserved by some operating systems: choose another'
  return undefined
}

/** What follows the last dot, in lower case; empty when there is none. A leading dot begins a name, not an extension. */
export function extensionOf(name: string): string {
  const trimmed = name.trim()
  const dot = trimmed.lastIndexOf('.')
  const extension = trimmed.slice(dot + 1)
  const hasStem = /[^.]/.test(trimmed.slice(0, Math.max(dot, 0)))
  return hasStem && !/\s/.test(extension) ? extension.toLowerCase() : ''
}
