import type { Diwan } from '../../../client/src/index.ts'
import { type Argument, type Command, type Options, UsageError } from '../frame/command.ts'
import { isRecord, note, print, printJson, printTable, type Row, recordLines } from '../frame/output.ts'
import type { Operation } from './description.ts'
import { fieldsOf, optionsOf, valuesOf } from './schema-options.ts'
import { administration, connect, pagesOf, URL_OPTION } from './server.ts'

/** An operation of the administration as a command. */
export interface Administered {
  name: string
  operation: Operation
  /** The same for a single record, which is then named too. */
  ofOne?: Operation
  /** The columns of a list. */
  columns?: readonly string[]
  /** Where in the answer a secret is that is shown once. Only it goes to standard output, so that a script can keep it. */
  secret?: readonly string[]
  defaults?: Record<string, string>
  /** A field of the answer that must be true. */
  failsUnless?: string
  examples?: string[]
}

const PAGING = ['limit', 'offset', 'cursor']
const LONGEST_PAGE = 100

export function derive(administered: Administered): Command {
  const { name, operation, ofOne, columns, defaults = {}, examples } = administered
  const isOfCompany = name.startsWith('company ')
  const names = (ofOne ?? operation).parameters.filter(parameter => isOfCompany || parameter !== 'company')
  const required = operation.parameters
  const fields = optionFields(administered)
  const options: Options = {
    ...(ofOne ? withoutRequired(optionsOf(fields)) : withDefaults(optionsOf(fields), defaults)),
    ...(columns && { limit: { type: 'number', default: LONGEST_PAGE, minimum: 1, help: 'Show at most so many' } }),
    ...(!isOfCompany && {
      company: { type: 'text', value: 'ID', help: 'The company; may be left out when there is one' },
    }),
    ...URL_OPTION,
    json: { type: 'flag', help: 'Print the answer as JSON' },
  }
  return {
    name,
    summary: `${operation.summary}.`,
    ...(operation.description && { description: operation.description.replaceAll('`', '') }),
    arguments: names.map(parameter => argumentOf(parameter, required.includes(parameter))),
    options,
    ...(examples && { examples }),
    async run({ args, options }) {
      const diwan = connect(await administration(options.url as string | undefined))
      const given = Object.fromEntries(names.map((parameter, n) => [parameter, args[n]]))
      if (!isOfCompany) given.company = (options.company as string | undefined) ?? (await onlyCompany(diwan))
      const isOne = ofOne !== undefined && args.length === names.length
      if (!isOne) requireFields(options, optionsOf(fields))
      const { method, path, body } = isOne ? ofOne : operation
      const address = path.replaceAll(/\{(\w+)\}/g, (_, p) => encodeURIComponent(given[p] ?? ''))
      const values = isOne ? {} : valuesOf(fields, options)
      if (columns) return list(diwan, address, values, columns, options)
      const { data } = await diwan.request<{ data: unknown }>(method, address, { body: body && values })
      show(administered, data, options.json === true)
    },
  }
}

/** A field with the name of an option that every command has is prefixed with its record: `--webhook-url`. */
function optionFields({ name, operation: { body, query } }: Administered): ReturnType<typeof fieldsOf> {
  const [group = ''] = name.split(' ')
  return fieldsOf(body ?? query, body ? 'Sets' : 'Selects by')
    .filter(field => !PAGING.includes(field.name))
    .map(field => (Object.hasOwn(URL_OPTION, field.name) ? { ...field, name: `${group}-${field.name}` } : field))
}

function argumentOf(parameter: string, isRequired: boolean): Argument {
  const noun = parameter === 'user' ? 'person' : parameter
  return { name: parameter.toUpperCase(), help: `The id of the ${noun}`, ...(!isRequired && { isOptional: true }) }
}

function withDefaults(options: Options, defaults: Record<string, string>): Options {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      if (defaults[name] === undefined || option.type !== 'text') return [name, option]
      const { isRequired: _, ...rest } = option
      return [name, { ...rest, default: defaults[name] }]
    }),
  )
}

/** They are required only when no single record is named. */
function withoutRequired(options: Options): Options {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      if (option.type === 'flag') return [name, option]
      const { isRequired: _, ...rest } = option
      return [name, rest]
    }),
  )
}

function requireFields(options: Record<string, unknown>, declared: Options): void {
  for (const [name, option] of Object.entries(declared))
    if ('isRequired' in option && options[name] === undefined)
      throw new UsageError(`--${name} must be given: ${option.help}`)
}

/** The company of the person whose token it is. The operator need not name it while there is only one. */
export async function onlyCompany(diwan: Diwan): Promise<string> {
  const { data: me } = await diwan.request<{ data: { company?: { id: number } | null } }>('GET', '/admin/v1/me')
  if (me.company) return String(me.company.id)
  const query = { closed: false, limit: 2 }
  const { data: companies } = await diwan.request<{ data: { id: number }[] }>('GET', '/admin/v1/companies', { query })
  const [first, second] = companies
  if (first && !second) return String(first.id)
  throw new UsageError(
    first
      ? '--company must be given: there are several, and diwan company list shows them'
      : 'There is no company yet: diwan company create makes one',
  )
}

export async function list(
  diwan: Diwan,
  path: string,
  query: Row,
  columns: readonly string[],
  { limit, json }: Record<string, unknown>,
): Promise<void> {
  const most = limit as number
  const found: Row[] = []
  let total = 0
  for await (const { data, meta } of pagesOf(diwan, path, { ...query, limit: Math.min(most, LONGEST_PAGE) })) {
    found.push(...(data as Row[]))
    total = meta?.total ?? found.length
    if (found.length >= most) break
  }
  const rows = found.slice(0, most)
  if (json) return printJson(rows)
  if (rows.length > 0) printTable(rows, columns)
  if (rows.length === 0) note('There are none')
  else if (total > rows.length) note(`${rows.length} of ${total}; --limit shows more`)
}

function show({ secret = [], failsUnless }: Administered, data: unknown, isJson: boolean): void {
  const record = isRecord(data) ? data : {}
  if (failsUnless !== undefined && record[failsUnless] !== true) process.exitCode = 1
  const hidden = secret.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), record)
  if (isJson) printJson(data)
  else if (typeof hidden === 'string') showSecret(record, hidden, secret)
  else print(recordLines(record).join('\n'))
}

function showSecret(record: Row, hidden: string, path: readonly string[]): void {
  const { [path[0] as string]: _, ...rest } = record
  if (Object.keys(rest).length > 0) note(recordLines(rest).join('\n'))
  note(`\nShown this once: ${path.join(' ').replaceAll('_', ' ')}`)
  print(hidden)
}
