import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { ApiError, takenExternalId, unprocessable } from '../domain/errors.ts'
import {
  claimExternalIds,
  handleOf,
  type KindWithExternalId,
  type Named,
  requireExternalId,
} from '../domain/records/external-ids.ts'
import { beginAgain } from '../domain/records/locks.ts'
import { RECORDS } from '../domain/records/records.ts'
import { Changes, Single } from '../http/answers/schema.ts'
import type { OneStatement } from '../http/endpoints/endpoint.ts'
import { type Call, endpoint } from './gate.ts'

/** A record that is frozen while its project is archived. */
interface Freezable {
  archived: boolean
}

/** What an upsert needs to know of its kind. POST and PATCH use the same functions. */
interface Upsert<Parent extends Freezable | undefined, Row extends Freezable, Body extends TObject> {
  kind: KindWithExternalId
  operation: Parameters<typeof endpoint>[0]['operation']
  /** Ends in `ext::external_id`. */
  at: string
  findParent: (call: Call) => Promise<Parent>
  /** Finds the record that a flat address names. */
  find: (call: Call) => Promise<Row>
  body: Body
  shows: TSchema
  create: (call: Call, parent: Parent, fields: Static<Body>, claimed: Named) => Promise<object>
  change: (call: Call, record: Row, fields: Partial<Static<Body>>) => Promise<object>
  /** The same in one statement, where that is possible. */
  atOnce?: (call: Call, fields: Partial<Static<Body>>, externalId: string) => OneStatement<{ data: object }> | undefined
}

/**
 * Declares a PUT that changes the record with an external id, wherever it stands, or creates it below the parent that the
 * address names.
 */
export function upsert<Parent extends Freezable | undefined, Row extends Freezable, Body extends TObject>(
  declaration: Upsert<Parent, Row, Body>,
) {
  const { kind, operation, at, findParent, find, body, shows, create, change, atOnce } = declaration
  const { parameter, words } = RECORDS[kind]
  const one = words.en.one.toLowerCase()
  const changes: TObject = Changes(body)
  const shownBy = (id: string) => ({ [parameter]: handleOf(id) })
  return endpoint({
    name: `upsert_${kind}`,
    since: '1.7.0',
    operation,
    summary: `Create or update a ${one} by its external id`,
    description: `Changes the ${one} with this external id, wherever it is, and never moves it. If there is none, it is created here (201), which needs the fields that creating needs.`,
    method: 'PUT',
    at: [at],
    async find(call) {
      const parent = await findParent(call)
      const id = requireExternalId(call.params.external_id)
      const record = await findClaimed(call, kind, id, (seen: Call) =>
        find({ ...seen, params: shownBy(id), holds: 'record' }),
      )
      return { parent, record, id, archived: (parent?.archived || record?.archived) ?? false }
    },
    recordIn: ({ record, id }) => record && shownBy(id),
    body: changes,
    bodyToCreate: body,
    returns: Type.Unsafe<{ data: object }>(Single(shows)),
    ...(atOnce && {
      atOnce(call: Call & { body: unknown }) {
        const id = requireExternalId(call.params.external_id)
        const { external_id = id, ...fields } = call.body as { external_id?: string | null } & Partial<Static<Body>>
        return external_id === id ? atOnce(call, fields as Partial<Static<Body>>, id) : undefined
      },
    }),
    async run(call, { parent, record, id }) {
      const { external_id = id, ...fields } = call.body as { external_id?: string | null } & Partial<Static<Body>>
      if (external_id !== id) throw unprocessable('external_id', 'must be the one in the address, or left out')
      if (record) return { data: await change(call, record, fields as Partial<Static<Body>>) }
      // The cast holds: without a record the body was read by the schema of a new one.
      return { data: await create(call, parent, { ...fields, external_id } as Static<Body>, { external_id }) }
    },
  })
}

/**
 * The record with this external id, locked, or undefined. Either holds until the commit: nobody else can create one while the id
 * is claimed, and nobody can take it from a record that is locked.
 */
async function findClaimed<Row>(
  call: Call,
  kind: KindWithExternalId,
  id: string,
  find: (call: Call) => Promise<Row>,
): Promise<Row | undefined> {
  const [holder] = await claimExternalIds(call, kind, [id])
  if (!holder) return undefined
  const record = await unlessMissing(find(call))
  if (record) return record
  // Somebody else's record, which the caller does not see, is neither changed nor named.
  if (call.sight !== 'company' && (await unlessMissing(find({ ...call, sight: 'company' }))))
    throw takenExternalId('external_id', id)
  throw beginAgain('The record was deleted or lost its external id while it was looked up')
}

function unlessMissing<Row>(found: Promise<Row>): Promise<Row | undefined> {
  return found.catch(error => {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  })
}
