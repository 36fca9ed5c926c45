import type { TObject, TSchema } from 'typebox'
import { ApiError, forbidden, projectIsArchived } from '../../domain/errors.ts'
import type { JsonObject } from '../../lib/json.ts'
import { addHijriDays, queryWithCalendar } from '../answers/hijri.ts'
import { bodyReader, entriesIn } from '../requests/body.ts'
import { type RawQuery, readQuery } from '../requests/query.ts'
import type {
  BaseCall,
  Declaration,
  EndpointFacts,
  NoFields,
  OneStatement,
  ReadDeclaration,
  WriteDeclaration,
} from './endpoint.ts'

/** A body as it was sent, a callback for fields that are ignored, and one that spends the calls it costs beyond the first. */
export interface SentBody {
  /** Throws what is wrong with it. It is not read before the record was found and the call was allowed. */
  parse: () => JsonObject
  onIgnored: (names: string[]) => void
  spendMore: (calls: number) => Promise<void>
}

export interface ReadEndpoint<Call extends BaseCall> extends EndpointFacts {
  method: 'GET'
  status: 200 | 201
  /** Runs these steps in order: query, record, policy, run. */
  read: (call: Call, query: RawQuery) => Promise<unknown>
}

interface WriteFacts extends EndpointFacts {
  method: Exclude<EndpointFacts['method'], 'GET'>
  status: 200 | 201
}

/** What a write says of the version that it changes. */
export interface Version<Call extends BaseCall> {
  /** Throws when the caller asked for another one. `params` are those of the GET that shows it. */
  require(call: Call, params: Call['params']): Promise<void>
  /** There is none, because the write creates the record. Throws when the caller asked for any. */
  requireNone(): void
}

interface PlainWrite<Call extends BaseCall> {
  /** Runs these steps in order: record, frozen?, policy, version, body, run. */
  write: (call: Call, body: SentBody, version: Version<Call>) => Promise<unknown>
  /** The same in one statement, where that is possible. */
  writeAtOnce?: (call: Call, body: SentBody) => OneStatement<unknown> | undefined
  prepareWrite?: undefined
}

interface PreparedWrite<Call extends BaseCall> {
  write?: undefined
  writeAtOnce?: undefined
  /**
   * Does the slow work after everything that can refuse the call was checked, and returns the rest of the write. The rest looks
   * up the record again, because time has passed.
   */
  prepareWrite: (call: Call, body: SentBody, signal: AbortSignal) => Promise<(call: Call) => Promise<unknown>>
}

export type WriteEndpoint<Call extends BaseCall> = WriteFacts & (PlainWrite<Call> | PreparedWrite<Call>)

/** A declaration whose functions know the type of its record. The type does not show it, so that all fit in one list. */
export type Endpoint<Call extends BaseCall> = ReadEndpoint<Call> | WriteEndpoint<Call>

/** Makes the function with which a surface declares its endpoints. `Requirements` is what they require of a caller there. */
export function declareFor<Call extends BaseCall, Requirements extends object>() {
  return function declare<
    Returns extends TSchema,
    Found = undefined,
    Query extends TObject = NoFields,
    Body extends TObject = NoFields,
    Prepared = undefined,
  >(
    declaration: Requirements & Declaration<Call, Found, Query, Body, Returns, Prepared>,
  ): Requirements & Endpoint<Call> {
    const status = declaration.status ?? 200
    return declaration.method === 'GET'
      ? { ...declaration, status, ...boundRead(declaration) }
      : { ...declaration, status, ...boundWrite(declaration) }
  }
}

function boundRead<Call extends BaseCall, Found, Query extends TObject, Returns extends TSchema>(
  declaration: ReadDeclaration<Call, Found, Query, Returns>,
): Pick<ReadEndpoint<Call>, 'read' | 'query'> {
  const { find = nothing<Found>, policy, requireParent, run, returns, refusesQuery = false } = declaration
  const query = queryWithCalendar(declaration.query, returns)
  return {
    ...(query && { query }),
    async read(call, sent) {
      try {
        const query = readQuery(declaration, sent, call)
        const found = await find(call)
        policy?.(call, found)
        const answer = await run(Object.assign(call, { query }), found)
        addHijriDays(answer, sent.calendar, returns, refusesQuery)
        return answer
      } catch (error) {
        if (error instanceof ApiError && error.status === 422) await requireParent?.(call)
        throw error
      }
    },
  }
}

function boundWrite<Call extends BaseCall, Found, Body extends TObject, Returns extends TSchema, Prepared>(
  declaration: WriteDeclaration<Call, Found, Body, Returns, Prepared>,
): PlainWrite<Call> | PreparedWrite<Call> {
  const { find = nothing<Found>, policy, prepare, run, atOnce, spendsPer, worksOnArchived = false } = declaration
  const { recordIn } = declaration
  const readBody = bodyReader(declaration.body)
  // The cast holds: it has the same fields, and only requires more of them.
  const readNewBody = bodyReader((declaration.bodyToCreate ?? declaration.body) as Body | undefined)

  async function findWritable(call: Call): Promise<Found> {
    const found = await find(call)
    refuseFrozen(call.isReadOnly, isArchived(found) && !worksOnArchived)
    policy?.(call, found)
    return found
  }

  if (!prepare && spendsPer === undefined)
    return {
      async write(call, sent, version) {
        const found = await findWritable(call)
        const record = recordIn ? recordIn(found) : call.params
        if (record) await version.require(call, record)
        else version.requireNone()
        const body = (record ? readBody : readNewBody)(sent.parse(), sent.onIgnored)
        return run(Object.assign(call, { body, prepared: nothing<Prepared>() }), found)
      },
      ...(atOnce && {
        writeAtOnce(call: Call, sent: SentBody) {
          const body = readBody(sent.parse(), sent.onIgnored)
          return atOnce(Object.assign(call, { body }))
        },
      }),
    }

  return {
    async prepareWrite(early, sent, signal) {
      const found = await findWritable(early)
      const parsed = sent.parse()
      // What is spent stays spent when the body is refused, so this does not wait for the transaction.
      if (spendsPer !== undefined) await sent.spendMore(entriesIn(declaration.body, spendsPer, parsed) - 1)
      const body = readBody(parsed, sent.onIgnored)
      const prepared = prepare ? await prepare(Object.assign(early, { body, signal }), found) : nothing<Prepared>()
      return async call => {
        const found = await findWritable(call)
        return run(Object.assign(call, { body, prepared }), found)
      }
    },
  }
}

/** Stands in for a `find` or `prepare` that a declaration leaves out: its result type is then the default, `undefined`. */
function nothing<T>(): T {
  return undefined as T
}

/** Projects, and the records in them, say whether the project is archived. */
function isArchived(found: unknown): boolean {
  return typeof found === 'object' && found !== null && 'archived' in found && found.archived === true
}

/** A state, not a permission: whatever the key allows, a frozen record cannot be written. */
function refuseFrozen(isReadOnly: boolean, isArchived: boolean): void {
  if (isReadOnly) throw forbidden("The company's subscription is read-only.")
  if (isArchived) throw projectIsArchived()
}
