import { type Answer, Diwan } from './diwan.ts'

/** Creates companies and people whose names do not depend on chance, so that two servers can be given the same ones. */
export class PlainlyNamed extends Diwan {
  #created = 0

  override company(settings: Record<string, unknown> = {}) {
    const n = ++this.#created
    return super.company({
      name: `Company ${n}`,
      owner: { name: 'Layla Haddad', email: `layla.${n}@example.com` },
      ...settings,
    })
  }

  override person(companyId: number, settings: Record<string, unknown> = {}) {
    return super.person(companyId, { email: `omar.${++this.#created}@example.com`, ...settings })
  }
}

const REF = /(?:prj|lst|tsk|mjl|fil)-[0-9a-z]{10}/g
/** What no two servers have in common: their addresses, what is drawn by chance, and when something happened. */
const OF_ONE_SERVER: [RegExp, string][] = [
  [/http:\/\/127\.0\.0\.1:\d+/g, '(address)'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '(uuid)'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '(instant)'],
  [/\b(?:svc|whsec|dwn)_[\w+/=-]{8,}/g, '(secret)'],
  [/\/#(?:sign-in|invitation|link)=[\w-]+/g, '(link)'],
  [/((?:\\?"|[?&;])(?:next_|prev_)?(?:cursor|after)\\?"?[:=]\\?"?)[\w-]{6,}/g, '$1(cursor)'],
]
const UNCOMPARED_FIELDS = /"(duration_ms|prefix|last_four)":("[^"]*"|[\d.]+)/g
const UNCOMPARED_HEADERS = new Set([
  'date',
  'x-request-id',
  'etag',
  'content-length',
  'connection',
  'keep-alive',
  'set-cookie',
])

/**
 * The names that two servers have given to the same things, by the order in which they were told. What the first calls a thing
 * is translated before the second is asked for it.
 */
export function twinNames() {
  const others = new Map<string, string>()
  const twin = (name: string) => others.get(name) ?? name
  // A ref may have digits and letters of an escape in front of it, as in %22prj-…
  const translated = (text: string) => text.replace(REF, twin).replace(/[\w-]{12,}/g, twin)

  function learn(one: unknown, other: unknown): void {
    if (typeof one === 'string' && typeof other === 'string') {
      if (/^[\w-]{12,}$/.test(one) && one !== other && !others.has(one)) others.set(one, other)
    } else if (typeof one === 'object' && one !== null && typeof other === 'object' && other !== null) {
      const values = other as Record<string, unknown>
      for (const [name, value] of Object.entries(one)) if (Object.hasOwn(values, name)) learn(value, values[name])
    }
  }

  return {
    translated,
    learn,
    /** What differs between the answers of both to the same request; undefined if nothing does. */
    difference(one: Answer, other: Answer): string | undefined {
      learn(one.body, other.body)
      const [a, b] = [translated(written(one)), written(other)].map(masked) as [string, string]
      return a === b ? undefined : firstDifference(a, b)
    },
  }
}

function written({ status, headers, body }: Answer): string {
  const compared = [...headers].filter(([name]) => !UNCOMPARED_HEADERS.has(name)).map(pair => pair.join(': '))
  return [status, ...compared, typeof body === 'string' ? body : JSON.stringify(body)].join('\n')
}

function masked(text: string): string {
  const without = OF_ONE_SERVER.reduce((all, [pattern, word]) => all.replace(pattern, word), text)
  return without.replace(UNCOMPARED_FIELDS, '"$1":…')
}

const AROUND = 160

/** Both from shortly before the first character that differs. */
function firstDifference(a: string, b: string): string {
  let at = 0
  while (a[at] === b[at]) at++
  const from = Math.max(0, at - AROUND)
  return [a, b].map(text => `${text.slice(0, 3)} … ${text.slice(from, at + AROUND)}`).join('\n')
}

/** Leaves out of a request whatever can be left out while it still fails: one parameter of the query or field of the body at a time. */
export async function smallest<Request extends { path: string; body: string | undefined }>(
  request: Request,
  stillFails: (less: Request) => Promise<boolean>,
): Promise<Request> {
  for (const less of shorterThan(request)) if (await stillFails(less)) return smallest(less, stillFails)
  return request
}

function* shorterThan<Request extends { path: string; body: string | undefined }>(request: Request) {
  const [address, query = ''] = request.path.split('?')
  const pairs = query === '' ? [] : query.split('&')
  for (const pair of pairs) {
    const others = pairs.filter(other => other !== pair).join('&')
    yield { ...request, path: others ? `${address}?${others}` : `${address}` }
  }
  const fields = fieldsIn(request.body)
  for (const name of Object.keys(fields)) {
    const { [name]: _, ...others } = fields
    yield { ...request, body: JSON.stringify(others) }
  }
}

function fieldsIn(body = 'null'): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(body)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? { ...read } : {}
  } catch {
    return {}
  }
}
