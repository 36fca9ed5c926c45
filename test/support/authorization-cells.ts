import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { signIn } from './console.ts'
import { at, type Described, harmless } from './described-operations.ts'
import type { Diwan } from './diwan.ts'
import { bearer } from './every-credential.ts'
import type { furnishEveryRecord } from './every-record.ts'
import { random } from './random.ts'
import { OPERATOR_TOKEN } from './server-process.ts'

type Everything = Awaited<ReturnType<typeof furnishEveryRecord>>

interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | undefined
}

/** The status, and for a refusal its code. */
type Expected = [status: number, code?: string]

const FORBIDDEN: Expected = [403, 'forbidden']
const NOT_FOUND: Expected = [404, 'not_found']
const AT_ONCE = 4
/** What differs between two answers to the same request. */
const OF_THE_MOMENT = ['date', 'x-request-id']
/** Handles of the right form that nothing has. */
const MISSING: Record<string, string> = {
  project: 'prj-0000000000',
  list: 'lst-0000000000',
  task: 'tsk-0000000000',
  discussion: 'mjl-0000000000',
  file: 'fil-0000000000',
  ref: 'prj-0000000000',
  external_id: 'never-77',
  job: '00000000-0000-4000-8000-000000000000',
}

/** Compares what callers are answered with what they should be, and what the audit has of it afterwards. */
export function cellsOf(diwan: Diwan, { company, person, names, commentBelow }: Everything) {
  const seen = { cells: 0, denials: 0, pairs: 0 }
  /** Denials by the id of their request. */
  const denied = new Map<string, string>()
  /** The cells that were answered otherwise than they should be. */
  const wrong: string[] = []
  let addresses = 0
  // Failures are counted by address, and here nobody is to be slowed.
  const freshAddress = () => `2001:db8:${(++addresses >> 16).toString(16)}:${(addresses & 0xffff).toString(16)}::1`

  async function send({ method, path, headers, body }: Sent) {
    const id = randomUUID()
    const more = { 'x-request-id': id, 'x-forwarded-for': freshAddress(), 'accept-encoding': 'identity' }
    const response = await fetch(diwan.url + path, {
      method,
      headers: { ...headers, ...more },
      redirect: 'manual',
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const code: string | undefined = isJson ? JSON.parse(text).error?.code : undefined
    return { id, status: response.status, code, text, headers: response.headers }
  }

  async function one(what: string, sent: Sent, [status, code]: Expected): Promise<void> {
    const answer = await send(sent)
    const shown = `${answer.status}: ${what}: ${sent.method} ${sent.path}: ${answer.text.slice(0, 200)}`
    if (answer.status !== status || (code !== undefined && answer.code !== code)) wrong.push(`${status}, but ${shown}`)
    if (answer.code === 'forbidden') denied.set(answer.id, shown)
    seen.cells++
  }

  /** The name of what a parameter of an address asks for; a comment is below what stands before it. */
  function nameIn({ path }: Described, { names, commentBelow }: Pick<Everything, 'names' | 'commentBelow'>) {
    const commented = /\{(\w+)\}\/comments\//.exec(path)?.[1] ?? ''
    return (parameter: string) =>
      parameter === 'comment' ? (commentBelow[commented] as string) : (names[parameter] ?? missing(parameter))
  }

  return {
    one,

    async each(
      operations: Described[],
      who: string,
      headers: Sent['headers'],
      expected: (operation: Described) => Expected,
    ) {
      const left = [...operations]
      const work = async () => {
        for (let operation = left.shift(); operation; operation = left.shift()) {
          const { headers: more, body } = harmless(operation)
          const path = at(operation, nameIn(operation, { names, commentBelow }))
          await one(
            who,
            { method: operation.method, path, headers: { ...headers, ...more }, body },
            expected(operation),
          )
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
    },

    /**
     * All were answered as they should be, and the audit of the company has each of the denials so far once, and no other. What
     * exceeds a hundred of one credential in an hour is an entry that counts.
     */
    async expectRight(companyId: number): Promise<void> {
      expect(wrong.splice(0)).toEqual([])
      const found: string[] = []
      let counted = 0
      for (let cursor = ''; ; ) {
        const page = `limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
        const { body } = await diwan.operator.get(`/companies/${companyId}/audit?outcome=denied&${page}`)
        for (const { request_id, count } of body.data) {
          found.push(request_id)
          counted += count
        }
        cursor = body.meta.next_cursor ?? ''
        if (cursor === '') break
      }
      expect(found.filter(id => !denied.has(id))).toEqual([])
      const unnamed = [...denied].filter(([id]) => !found.includes(id)).map(([, what]) => what)
      expect(counted, unnamed.join('\n')).toBe(denied.size)
      expect(new Set(found).size).toBe(found.length)
      seen.denials = denied.size
    },

    /** Whoever may be signed in to the company, and what they are answered when they ask for its records. */
    async people(): Promise<{ name: string; headers: Sent['headers']; answers: (operation: Described) => Expected }[]> {
      const manager = await diwan.person(company.id, { role: 'manager' })
      const session = await signIn(diwan, { token: manager.token })
      const inBrowser = { cookie: session.cookie, 'x-diwan-console': '1' }
      // Events are for those who take part.
      const answering =
        (isRefused: (operation: Described) => boolean, seesEvents: boolean) => (operation: Described) => {
          const isHidden = !seesEvents && operation.parameters.includes('event')
          if (isRefused(operation) && !(isHidden && operation.isForItsMaker)) return FORBIDDEN
          return isHidden ? NOT_FOUND : ([harmless(operation).answered] as Expected)
        }
      const isOthers = ({ isForItsMaker }: Described) => isForItsMaker
      const isForLeaders = ({ audience }: Described) => audience === 'For owners and managers, not for the operator.'
      // Members delete only what they have made themselves.
      const isNotForMembers = (operation: Described) =>
        isForLeaders(operation) || isOthers(operation) || operation.method === 'DELETE'
      return [
        {
          name: 'the operator',
          headers: bearer(OPERATOR_TOKEN),
          answers: operation =>
            operation.audience?.endsWith('not for the operator.')
              ? FORBIDDEN
              : answering(() => false, false)(operation),
        },
        { name: 'the owner', headers: bearer(company.ownerToken), answers: answering(() => false, true) },
        { name: 'a manager', headers: bearer(manager.token), answers: answering(isOthers, false) },
        { name: 'a manager in a browser', headers: inBrowser, answers: answering(isOthers, false) },
        {
          name: 'a page without its header',
          headers: { cookie: session.cookie },
          answers: operation => (operation.method === 'GET' ? answering(isOthers, false)(operation) : FORBIDDEN),
        },
        {
          name: 'a page of another site',
          headers: { ...inBrowser, 'sec-fetch-site': 'cross-site' },
          answers: () => FORBIDDEN,
        },
        { name: 'a member', headers: bearer(person.token), answers: answering(isNotForMembers, false) },
      ]
    },

    /** From a drawn place of the address on, the names are those of another company, and then names that nothing has. */
    async foreignAsMissing(operation: Described, headers: Sent['headers'], stranger: Everything): Promise<void> {
      const { parameters, method } = operation
      const from = Math.floor(random() * parameters.length)
      const own = nameIn(operation, stranger)
      const foreign = nameIn(operation, { names, commentBelow })
      const addressed = (name: (parameter: string) => string) =>
        at(operation, parameter => (parameters.indexOf(parameter) < from ? own(parameter) : name(parameter)))
      const { headers: more, body } = harmless(operation)
      const [one, other] = [addressed(foreign), addressed(missing)]
      const answers = []
      for (const path of [one, other])
        answers.push(await send({ method, path, headers: { ...headers, ...more }, body }))
      const [theirs, nobodys] = answers.map(({ status, text, headers }) => ({
        status,
        text,
        headers: [...headers].filter(([name]) => !OF_THE_MOMENT.includes(name)),
      }))
      expect(theirs, `${method} ${one} and ${other}`).toEqual(nobodys)
      expect(theirs?.status, `${method} ${one}: ${theirs?.text}`).toBeGreaterThanOrEqual(400)
      seen.pairs++
    },

    figures: () => ({ ...seen }),
    add(others: { figures: () => typeof seen }) {
      const { cells, denials } = others.figures()
      seen.cells += cells
      seen.denials += denials
    },
  }
}

function missing(parameter: string): string {
  return MISSING[parameter] ?? '999999999'
}
