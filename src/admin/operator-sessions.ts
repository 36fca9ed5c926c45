import sql from 'sql-template-tag'
import Type from 'typebox'
import { orNotFound } from '../domain/errors.ts'
import { isLive } from '../domain/people/console-sessions.ts'
import { page } from '../http/answers/pagination.ts'
import { Collection, Paging } from '../http/answers/schema.ts'
import { ascending } from '../http/requests/order.ts'
import { requirePathId } from '../http/requests/query.ts'
import { type AdminCall, adminEndpoint } from './gate.ts'
import { columnsFor, EndedSession, endSession, SessionInList } from './sessions.ts'

export const listOperatorSessions = adminEndpoint({
  name: 'list_operator_sessions',
  since: '1.6.0',
  operation: 'sessions:read',
  who: 'operator',
  summary: "List the operator's sessions",
  description: 'The sessions of the console that were begun with the operator token as it is now and have not ended.',
  method: 'GET',
  at: ['/sessions'],
  query: Type.Object(Paging),
  returns: Collection(SessionInList),
  run: call =>
    page<Type.Static<typeof SessionInList>>(call.db, call.query, {
      columns: columnsFor(call),
      from: sql`console_sessions s where s.company_id = 0 and s.operator_digest = ${call.byBody.operatorDigest} and ${isLive}`,
      order: [ascending(sql`s.id`)],
    }),
})

function findOperatorSession({ db, params }: AdminCall): Promise<{ id: number }> {
  const id = requirePathId(params.session)
  return orNotFound(db.maybe(sql`select s.id from console_sessions s where s.company_id = 0 and s.id = ${id}`))
}

export const deleteOperatorSession = adminEndpoint({
  name: 'end_operator_session',
  since: '1.6.0',
  operation: 'sessions:destructive',
  who: 'operator',
  audited: true,
  summary: 'End a session of the operator',
  method: 'DELETE',
  at: ['/sessions/:session'],
  find: findOperatorSession,
  returns: EndedSession,
  run: (call, { id }) => endSession(call, 0, id),
})
