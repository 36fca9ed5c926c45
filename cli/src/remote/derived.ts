import type { EndpointFacts } from '../../../src/http/endpoint.ts'
import { type Argument, type Command, type Options, UsageError } from '../frame/command.ts'
import { isRecord, note, print, printJson, printTable, type Row, recordLines } from '../frame/output.ts'
import { fieldsOf, optionsOf, valuesOf } from './schema-options.ts'
import { administration, ask, type Remote, URL_OPTION } from './server.ts'

/** A declaration of the administration as a command. */
export interface Administered {
  name: string
  endpoint: EndpointFacts
  /** The same for a single record, which is then named too. */
  ofOne?: EndpointFacts
  /** The columns of a list. */
  columns?: readonly string[]
  /** Where in the answer a secret is that is shown once. Only it goes to standard output, so that a script can keep it. */
  secret?: readonly string[]
  defaults?: Record<string, string>
  /** A field of the answer that must be true. */
  failsUnless?: string
  examples?: string[]
}

const PREFIX = '/admin/v1'
const PAGING = ['limit', 'offset', 'cursor']
const LONGEST_PAGE = 100

export function derive(administered: Administered): Command {
  const { name, endpoint, ofOne, columns, defaults = {}, examples } = administered
  const isOfCompany = name.startsWith('company ')
  const names = parametersOf(ofOne ?? endpoint).filter(parameter => isOfCompany || parameter !== 'company')
  const required = parametersOf(endpoint)
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
    summary: `${endpoint.summary}.`,
    ...(endpoint.description && { description: endpoint.description.replaceAll('`', '') }),
    arguments: names.map(parameter => argumentOf(parameter, required.includes(parameter))),
    options,
    ...(examples && { examples }),
    async run({ args, options }) {
      const remote = await administration(options.url as string | undefined)
      const given = Object.fromEntries(names.map((parameter, n) => [parameter, args[n]]))
      if (!isOfCompany) given.company = (options.company as string | undefined) ?? (await onlyCompany(remote))
      const isOne = ofOne !== undefined && args.length === names.length
      if (!isOne) requireFields(options, optionsOf(fields))
      const chosen = isOne ? ofOne : endpoint
      const path = PREFIX + (chosen.at[0] as string).replaceAll(/:(\w+)/g, (_, p) => encodeURIComponent(given[p] ?? ''))
      const values = isOne ? {} : valuesOf(fields, options)
      if (columns) return list(remote, path, values, columns, options)
      const body = chosen.body ? values : undefined
      show(administered, dataOf(await ask(remote, chosen.method, path, body)), options.json === true)
    },
  }
}

/** A field with the name of an option that every command has is prefixed with its record: `--webhook-url`. */
function optionFields({ name, endpoint: { body, query } }: Administered): ReturnType<typeof fieldsOf> {
  const [group = ''] = name.split(' ')
  return fieldsOf(body ?? query, body ? 'Sets' : 'Selects by')
    .filter(field => !PAGING.includes(field.name))
    .map(field => (Object.hasOwn(URL_OPTION, field.name) ? { ...field, name: `${group}-${field.name}` } : field))
}

function parametersOf({ at: [address = ''] }: EndpointFacts): string[] {
  return [...address.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
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

function dataOf(answer: unknown): unknown {
  return isRecord(answer) ? answer.data : undefined
}

/** The company of the person whose token it is. The operator need not name it while there is only one. */
async function onlyCompany(remote: Remote): Promise<string> {
  const me = dataOf(await ask(remote, 'GET', `${PREFIX}/me`))
  if (isRecord(me) && isRecord(me.company)) return String(me.company.id)
  const companies = dataOf(await ask(remote, 'GET', `${PREFIX}/companies?closed=false&limit=2`))
  const [first, second] = Array.isArray(companies) ? companies : []
  if (isRecord(first) && second === undefined) return String(first.id)
  throw new UsageError(
    first
      ? '--company must be given: there are several, and diwan company list shows them'
      : 'There is no company yet: diwan company create makes one',
  )
}

async function list(
  remote: Remote,
  path: string,
  query: Record<string, unknown>,
  columns: readonly string[],
  { limit, json }: Record<string, unknown>,
): Promise<void> {
  const rows: Row[] = []
  const most = limit as number
  let total: unknown
  for (let cursor: string | undefined; ; ) {
    const parameters = new URLSearchParams({ limit: String(Math.min(most - rows.length, LONGEST_PAGE)) })
    for (const [name, value] of Object.entries({ ...query, cursor }))
      if (value !== undefined) parameters.set(name, String(value))
    const { data, meta } = (await ask(remote, 'GET', `${path}?${parameters}`)) as { data: Row[]; meta: Row }
    rows.push(...data)
    total = meta.total
    cursor = typeof meta.next_cursor === 'string' ? meta.next_cursor : undefined
    if (cursor === undefined || rows.length >= most) break
  }
  if (json) return printJson(rows)
  if (rows.length > 0) printTable(rows, columns)
  if (rows.length === 0) note('There are none')
  else if (Number(total) > rows.length) note(`${rows.length} of ${total}; --limit shows more`)
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
