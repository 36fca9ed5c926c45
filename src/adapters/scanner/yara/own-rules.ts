import { extname } from 'node:path'
import type { Find } from './built-in-rules.ts'
import { compile, fileNameOf, findingOf, NAME_MAX, type RuleSource } from './engine.ts'

/** Variables that public rule sets expect. The last two are known only for files on a disk, and stay empty. */
const VARIABLES = ['filename', 'filepath', 'extension', 'filetype', 'owner']

/** The operator's rules are written for one file, so each member is scanned alone. */
export function openOwnRules(sources: RuleSource[]): Find {
  const engine = compile(sources, VARIABLES)
  // Each costs 10 ms to set, so only those that some rule uses are set.
  const isUsed = (name: string) => sources.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text))
  const used = VARIABLES.filter(isUsed)

  return (members, checkTime) => {
    for (const { name, bytes } of members) {
      checkTime()
      const filename = fileNameOf(name)
      const known = { filename, filepath: name.slice(-NAME_MAX), extension: extname(filename).slice(1).toLowerCase() }
      for (const [key, value] of Object.entries(known)) if (used.includes(key)) engine.setVariable(key, value)
      const [match] = engine.scan(bytes)
      if (match) return findingOf(match)
    }
    return null
  }
}
