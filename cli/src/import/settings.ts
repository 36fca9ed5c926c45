import { UsageError } from '../frame/command.ts'
import { DATES, type DateOrder, ENCODINGS, FORMATS } from './choices.ts'
import { FORMAT, ROLES, type Role } from './columns.ts'
import { listTitle } from './names.ts'
import type { Reading } from './records.ts'
import type { SpentHours } from './spent-time.ts'

/** What was typed, as far as it determines which tasks FILE gives. */
export interface Settings extends Reading {
  project: string
  list: string | undefined
  idPrefix: string
  dates: DateOrder
  dropExtra: boolean
  skipBad: boolean
  batch: number
  /** From a file of time entries, if one was given. */
  spentHours?: SpentHours | undefined
}

/** The title of the list for rows that name none. */
export const DEFAULT_LIST = 'Imported tasks'

/** The options as typed on the command line. */
export interface Typed {
  project: string
  format: string
  list: string | undefined
  'list-by': string | undefined
  map: string[] | undefined
  dates: string
  encoding: string
  'id-prefix': string | undefined
  done: string[] | undefined
  'drop-extra': boolean | undefined
  'skip-bad': boolean | undefined
  batch: number
}

export function readSettings(file: string, typed: Typed): Settings {
  const { project, list, done, batch } = typed
  if (list !== undefined && listTitle(list) === '') throw new UsageError('--list must be a title')
  const format = oneOf(FORMATS, typed.format)
  return {
    file,
    project,
    format,
    idPrefix: typed['id-prefix'] ?? FORMAT[format].idPrefix,
    list: list === undefined ? undefined : listTitle(list),
    listBy: typed['list-by'],
    map: readMap(typed.map),
    dates: oneOf(DATES, typed.dates),
    encoding: oneOf(ENCODINGS, typed.encoding),
    done,
    dropExtra: typed['drop-extra'] ?? false,
    skipBad: typed['skip-bad'] ?? false,
    batch,
  }
}

/** The declaration of the command has already checked it. */
function oneOf<T extends string>(choices: readonly T[], text: string): T {
  return choices.find(choice => choice === text) as T
}

/** `--map due=Deadline,notes=Body`. */
function readMap(pairs: string[] = []): Partial<Record<Role, string>> {
  return Object.fromEntries(
    pairs.map(pair => {
      const at = pair.indexOf('=')
      const role = pair.slice(0, at)
      if (at < 0 || !isRole(role))
        throw new UsageError(`--map must be FIELD=COLUMN with one of ${ROLES.join(', ')}, not ${JSON.stringify(pair)}`)
      return [role, pair.slice(at + 1)]
    }),
  )
}

function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text)
}

/** As it is stored next to FILE, and compared when the import is resumed. The names are those of the options. */
export function kept(settings: Settings, projectId: string): Record<string, unknown> {
  const { format, encoding, map, listBy, list, dates, done, dropExtra, skipBad, batch } = settings
  return {
    project: projectId,
    format,
    encoding,
    map: Object.entries(map).map(pair => pair.join('=')),
    'list-by': listBy ?? null,
    list: list ?? null,
    dates,
    done: done ?? null,
    'drop-extra': dropExtra,
    'skip-bad': skipBad,
    batch,
  }
}
