import type { Columns } from './columns.ts'
import type { Entry } from './entry.ts'
import { ownCopy, trimmed } from './names.ts'

/** More than an Asana export usually has. */
const MOST_REMEMBERED = 10_000

/** In Asana's CSV a subtask has no section but names its parent, which precedes it. */
export function createParentSections({ names, roles }: Columns) {
  const [title, section, parent] = [roles.title ?? -1, names.indexOf('Section/Column'), names.indexOf('Parent task')]
  const sections = new Map<string, string>()

  return ({ cells }: Entry): void => {
    const name = trimmed(cells[title] ?? '')
    const inherited = sections.get(trimmed(cells[parent] ?? ''))
    if (trimmed(cells[section] ?? '') === '' && inherited !== undefined) cells[section] = inherited
    if (sections.size < MOST_REMEMBERED) sections.set(ownCopy(name), ownCopy(cells[section] ?? ''))
  }
}
