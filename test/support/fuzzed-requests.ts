import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { type Operation, readDescription, type Schema } from './description.ts'
import { random } from './random.ts'

export interface FuzzedRequest {
  operation: string
  method: string
  path: string
  body: string | undefined
}

/** What people who mean harm put into any field. */
const EVIL: unknown[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202eآمن\u202c',
  '\u0065\u0301',
  '__proto__',
  'constructor',
  '%00',
  '%2F..%2F',
  '%252e',
  "'; drop table tasks; --",
  '<script>alert(1)</script>',
  '$' + '{7*7}',
  'infinity',
  '-infinity',
  '0000-00-00',
  '99999-12-31T00:00:00Z',
  '٢٠٢٧-٠١-٠١',
  'a'.repeat(70_000),
  'ب'.repeat(300),
  null,
  true,
  -1,
  0,
  0.5,
  2 ** 53 + 2,
  -(2 ** 63),
  1e308,
  [],
  {},
  [[[[[[]]]]]],
  { __proto__: null, toString: 1 },
  Array.from({ length: 201 }, () => 'x'),
]

/** Operations that would end the company, its owner or its key, so that all that follows would be refused alike. */
export const ENDING =
  /close|Session|deactivate|deleteUser|updateUser|updateCompany|revoke|deleteKey|updateKey|rotate|OfUser|retry/i

/** These ask hosts that are not ours. */
export const ELSEWHERE = /testWebhook|calendar$/i

const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
const once = (times: number) => random() < 1 / times

/** Makes requests from a description, and compares answers with it. `pool` are the names that have been seen so far, by their kind. */
export function fuzzer(file: string, prefix: string) {
  const { document, operations, follow } = readDescription(file)
  const ajv = new Ajv2020({ strict: false })
  ajvFormats.default(ajv)
  ajv.addSchema(document, 'description')
  const validators = new Map<string, ValidateFunction | undefined>()
  const byId = new Map(operations.map(operation => [operation.id, operation]))

  function draw(schema: Schema, name: string, pool: Map<string, string[]>, depth = 0): unknown {
    if (once(12)) return pick(EVIL)
    const { anyOf, oneOf, allOf, ...rest } = follow(schema)
    const choice = anyOf ?? oneOf
    if (choice) return draw(pick(choice), name, pool, depth)
    if (allOf) return Object.assign({}, ...allOf.map(part => draw(part, name, pool, depth)))
    if (rest.const !== undefined) return rest.const
    if (rest.enum) return pick(rest.enum)
    const type = pick([rest.type ?? 'string'].flat())
    if (type === 'null') return null
    if (type === 'boolean') return once(2)
    if (type === 'integer' || type === 'number')
      return pick([
        rest.minimum ?? 0,
        rest.maximum ?? 100,
        1,
        2,
        50,
        ...namesOf(name, pool).map(Number).filter(Boolean),
      ])
    if (type === 'array')
      return Array.from({ length: Math.floor(random() * 4) }, () => draw(rest.items ?? {}, name, pool, depth + 1))
    if (type === 'object') return drawObject(rest, pool, depth)
    if (rest.format === 'date') return pick(['2027-02-01', '2024-02-29', '2026-02-30'])
    if (rest.format === 'date-time') return pick(['2027-02-01T10:00:00Z', '2027-02-01T10:00', '2027-02-01'])
    if (rest.format === 'email') return pick(['layla@example.com', ...namesOf('email', pool)])
    return pick(['Desk', 'شراء الأثاث', 'a'.repeat(rest.maxLength ?? 300), ...namesOf(name, pool)])
  }

  function drawObject({ properties = {}, required = [] }: Schema, pool: Map<string, string[]>, depth: number): object {
    const sent = Object.entries(properties).filter(([name]) => (required.includes(name) ? !once(20) : once(3)))
    const unknown = once(15) ? { [pick(['unknown', '__proto__', 'id', 'company_id'])]: pick(EVIL) } : {}
    if (depth > 4) return unknown
    return { ...Object.fromEntries(sent.map(([name, one]) => [name, draw(one, name, pool, depth + 1)])), ...unknown }
  }

  return {
    operations: operations.length,

    next(pool: Map<string, string[]>, isLeftOut: (operationId: string) => boolean): FuzzedRequest {
      const operation = pick(operations)
      // Most of what is made must stay, or there would soon be nothing to ask for.
      const isRare = operation.method === 'DELETE' && !once(15)
      if (isRare || isLeftOut(operation.id)) return this.next(pool, isLeftOut)
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(once(10) ? written(pick(EVIL)).slice(0, 2_000) || 'x' : pick(namesOf(name, pool))),
      )
      const query = operation.parameters
        .filter(parameter => parameter.in === 'query' && once(3))
        .map(({ name, schema }) => [name, written(draw(schema, name, pool)).slice(0, 3_000)])
        .map(pair => pair.map(encodeURIComponent).join('='))
      const schema = operation.json?.schema
      const body = schema && !once(30) ? JSON.stringify(draw(schema, '', pool)) : undefined
      const sent = body !== undefined && once(40) ? body.slice(0, Math.floor(random() * body.length)) : body
      return {
        operation: operation.id,
        method: operation.method,
        path: prefix + path + (query.length > 0 ? `?${query.join('&')}` : ''),
        body: sent,
      }
    },

    /** What is wrong with an answer, if anything is. */
    faultOf({ operation: id }: FuzzedRequest, status: number, body: unknown): string | undefined {
      const operation = byId.get(id) as Operation
      const declared = operation.responses[String(status)]
      if (status >= 500) return `${status}: ${JSON.stringify(body)}`
      if (!declared) return `${status} is not declared: ${JSON.stringify(body)?.slice(0, 300)}`
      if (typeof body !== 'object') return undefined
      const key = `${id} ${status}`
      if (!validators.has(key)) {
        const schema = follow(declared).content?.['application/json']?.schema
        validators.set(key, schema && ajv.compile(rooted(schema)))
      }
      const validate = validators.get(key)
      if (!validate || validate(body)) return undefined
      return `${status} is not as declared: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(body).slice(0, 300)}`
    },
  }
}

/** A value in an address. */
function written(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed()
}

/** References that begin at the root of the description. */
function rooted(schema: Schema): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"description#/'))
}

/** A name of the kind that a field or a part of an address asks for; sometimes of another. */
function namesOf(name: string, pool: Map<string, string[]>): string[] {
  const kind = name.replace(/_(id|slug|ref)$/, '')
  const names = pool.get(kind) ?? []
  return once(10) || names.length === 0 ? [...pool.values()].flat() : names
}

const KINDS: Record<string, string> = {
  prj: 'project',
  lst: 'list',
  tsk: 'task',
  mjl: 'discussion',
  fil: 'file',
}

/** Remembers the names in an answer, for later requests: also those of records that are deleted meanwhile. */
export function remember(body: unknown, pool: Map<string, string[]>, path: string): void {
  const keep = (kind: string, name: string) => pool.set(kind, [...(pool.get(kind) ?? []).slice(-60), name])
  const last =
    path
      .split('?')[0]
      ?.split('/')
      .filter(part => /^[a-z-]+$/.test(part))
      .at(-1) ?? ''
  const look = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 5) return
    for (const [name, one] of Object.entries(value)) {
      if (name === 'id' && typeof one === 'number') keep(last.replace(/ies$/, 'y').replace(/s$/, ''), String(one))
      if (typeof one === 'string' && /^(prj|lst|tsk|mjl|fil)-/.test(one)) {
        keep(KINDS[one.slice(0, 3)] as string, one)
        keep('ref', one)
      }
      if (/cursor|email|external_id|slug/.test(name) && typeof one === 'string') keep(name, one)
      look(one, depth + 1)
    }
  }
  look(body, 0)
}
