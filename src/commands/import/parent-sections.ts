import type { Columns } from './columns.ts'
import type { Entry } from './entry.ts'
import { ownCopy, trimmed } from './names.ts'

/** More than an export of Asana holds as a rule. */
const MOST_REMEMBERED = 10_000

/** In the CSV of Asana a task within another has no section, and names its parent, which comes before it. */
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
