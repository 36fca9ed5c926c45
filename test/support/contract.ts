import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { expect } from 'vitest'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import type { ApiEndpoint } from '../../src/api/gate.ts'
import { describeAdmin, describeApi } from '../../src/descriptions.ts'
import { readBehind } from '../../src/http/endpoints/conditional.ts'
import type { EndpointFacts } from '../../src/http/endpoints/endpoint.ts'
import { type Answer, type Client, created, type Diwan } from './diwan.ts'
import { furnishEveryRecord } from './every-record.ts'
import { newDiscussion, newList, newTask } from './factories.ts'

/** An endpoint at one of its addresses. */
export interface Route<Endpoint extends EndpointFacts = ApiEndpoint> {
  endpoint: Endpoint
  address: string
  /** `PATCH /tasks/:task`, for what a failure says. */
  title: string
  /** The names in its address; a comment is named by what it is on: `comment on task`. */
  parameters: string[]
}

export function routesOf<Endpoint extends EndpointFacts>(endpoints: Endpoint[]): Route<Endpoint>[] {
  return endpoints.flatMap(endpoint =>
    endpoint.at.map(address => {
      const found = [...address.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
      const parameters = found.map((name, n) => (name === 'comment' ? `comment on ${found[n - 1]}` : name))
      return { endpoint, address, title: `${endpoint.method} ${address}`, parameters }
    }),
  )
}

export const ROUTES = routesOf(apiEndpoints)
export const READS = ROUTES.filter(({ endpoint }) => endpoint.method === 'GET')
export const WRITES = ROUTES.filter(({ endpoint }) => endpoint.method !== 'GET')

/** The GET of the record that a write changes. */
export const readOf = ({ endpoint }: Route) => readBehind(endpoint, apiEndpoints)

export type Names = Record<string, string>

/** A company with one of every kind of record, what each is called in addresses, and another one of those that have children. */
export async function furnishContract(diwan: Diwan) {
  const { company, names: found, commentBelow } = await furnishEveryRecord(diwan)
  const project = found.project as string
  const below = Object.entries(commentBelow).map(([on, id]) => [`comment on ${on}`, id])
  const names: Names = { ...found, ...Object.fromEntries(below) }
  const elsewhere: Names = {
    project: (await diwan.project(company, { name: 'Elsewhere' })).id,
    list: (await newList(company, project, { title: 'Elsewhere' })).id,
    task: (await newTask(company, names.list as string, { title: 'Elsewhere' })).id,
    discussion: (await newDiscussion(company, project, { title: 'Elsewhere' })).id,
  }
  names.destination = elsewhere.list as string
  return { company, api: company.api, names, elsewhere }
}
export type World = Awaited<ReturnType<typeof furnishContract>>

let used = 0

/** A body for each write that takes one. Each time it has other values than before. A new write must be added here. */
export function bodyFor(name: string, { task, destination }: Names): object | undefined {
  const n = ++used
  const times = { starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' }
  const comment = { content: `Comment ${n}` }
  const bodies: Record<string, object | undefined> = {
    create_project: { name: `Project ${n}` },
    update_project: { name: `Project ${n}`, end_date: '2027-01-01' },
    upsert_project: { name: `Project ${n}` },
    delete_project: undefined,
    archive_project: undefined,
    unarchive_project: undefined,
    create_task_list: { title: `List ${n}` },
    update_task_list: { title: `List ${n}`, notes: 'One\nTwo' },
    upsert_task_list: { title: `List ${n}` },
    delete_task_list: undefined,
    create_task: { title: `Task ${n}` },
    create_tasks: { tasks: [{ title: `Task ${n}` }] },
    update_task: { title: `Task ${n}`, notes: '<b>&amp;</b>', due_at: '2027-01-01' },
    upsert_task: { title: `Task ${n}` },
    delete_task: undefined,
    complete_task: undefined,
    reopen_task: undefined,
    move_task: { list_id: destination },
    set_task_time: { time_spent: String(n) },
    change_tasks: { changes: [{ task, do: 'update', title: `Task ${n}` }] },
    create_task_list_comment: comment,
    update_task_list_comment: comment,
    create_task_comment: comment,
    update_task_comment: comment,
    create_discussion_comment: comment,
    update_discussion_comment: comment,
    create_discussion: { title: `Topic ${n}` },
    update_discussion: { title: `Topic ${n}`, body: 'One\n\nTwo' },
    upsert_discussion: { title: `Topic ${n}` },
    delete_discussion: undefined,
    upload_file: { name: `${n}.txt`, content: 'x' },
    create_link: { name: `Link ${n}`, external_url: 'https://example.com/plan' },
    delete_file: undefined,
    create_folder: { name: `Folder ${n}` },
    update_folder: { name: `Folder ${n}` },
    delete_folder: undefined,
    create_event: { name: `Event ${n}`, ...times },
    update_event: { name: `Event ${n}`, attendee_emails: [] },
    delete_event: undefined,
  }
  if (!(name in bodies)) throw new Error(`${name} has no body in test/support/contract.ts`)
  return bodies[name]
}

export function pathTo({ address, parameters }: Pick<Route, 'address' | 'parameters'>, names: Names): string {
  let n = 0
  return address.replace(/:(\w+)/g, () => names[parameters[n++] as string] ?? 'missing')
}

/** The address at which a GET shows its record, by ref where that is possible: it stays when the record is moved. */
export function shownAt(read: EndpointFacts, names: Names): string {
  return pathTo(routesOf([read]).at(-1) as Route, names)
}

interface Sent {
  headers?: Record<string, string> | undefined
  /** JSON, unless it is text as it is to be sent. */
  body?: unknown
  query?: string
}

export function sendTo(
  client: Client,
  { method }: { method: string },
  path: string,
  { headers, body, query = '' }: Sent,
) {
  if (body === undefined) return client.send(method, path + query, { headers: headers ?? {} })
  return client.send(method, path + query, {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** A valid request of this route, unless something else is said. */
export function call(client: Client, route: Route, names: Names, sent: Sent = {}): Promise<Answer> {
  const { endpoint } = route
  const body = endpoint.method === 'GET' ? undefined : bodyFor(endpoint.name, names)
  return sendTo(client, endpoint, pathTo(route, names), { body, ...sent })
}

/** Undoes `move_task`, so that the nested address names the task again. */
export const moveBack = ({ api, names }: World) => api.post(`/tasks/${names.task}/move`, { list_id: names.list })

/** The answer of every read but the feed, whose cursor has the time in it. */
export async function everythingRead({ api, names }: World): Promise<Record<string, unknown>> {
  const shown: Record<string, unknown> = {}
  for (const route of READS) {
    if (route.endpoint.name === 'list_changes') continue
    const { status, body } = await call(api, route, names)
    shown[route.title] = [status, body]
  }
  return shown
}

export function expectNotFound({ status, body }: Answer, message: string): void {
  const error = { code: 'not_found', message: 'The record was not found.' }
  expect({ status, body }, message).toEqual({ status: 404, body: { error } })
}

export const tagOf = ({ headers }: Answer) => headers.get('etag')
export const ignoredIn = ({ headers }: Answer, what: 'fields' | 'parameters') =>
  headers.get(`x-ignored-${what}`)?.split(', ').map(decodeURIComponent)

const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false })
ajvFormats.default(ajv)
const validators = new Map<object, ValidateFunction>()

/** The answer is in the form that the endpoint declares. */
export function expectDeclared({ returns }: EndpointFacts, { body }: Answer, message: string): void {
  const validate = validators.get(returns) ?? ajv.compile(returns)
  validators.set(returns, validate)
  validate(body)
  expect(validate.errors ?? [], message).toEqual([])
}

interface Response {
  $ref?: string
  headers?: Record<string, unknown>
}
interface Description {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>
  components: { headers: Record<string, unknown>; responses: Record<string, Response> }
}
const api = describeApi() as unknown as Description
const admin = describeAdmin() as unknown as Description
const known = Object.keys({ ...api.components.headers, ...admin.components.headers })

/** The description tells of this status, and of every header of it that it tells of anywhere. */
export function expectDescribed({ endpoint, address, title }: Route<EndpointFacts>, { status, headers }: Answer): void {
  const isApi = apiEndpoints.some(each => (each as EndpointFacts) === endpoint)
  const { paths, components } = isApi ? api : admin
  const path = address.replace(/:(\w+)/g, '{$1}')
  const response = paths[path]?.[endpoint.method.toLowerCase()]?.responses[status]
  expect(response, `${title} ${status}`).toBeDefined()
  const name = response?.$ref?.split('/').at(-1)
  const told = (name ? components.responses[name] : response)?.headers ?? {}
  expect(
    known.filter(header => headers.has(header) && !(header in told)),
    `${title} ${status}`,
  ).toEqual([])
}

/** A second one of whatever can be created, so that every collection has two. */
export async function createEverything({ api, names }: World): Promise<void> {
  for (const route of WRITES)
    if (route.endpoint.status === 201 && route.address === route.endpoint.at[0]) await created(call(api, route, names))
}
