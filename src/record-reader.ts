import Fastify, { type FastifyInstance } from 'fastify'
import { apiEndpoints } from './api/endpoints.ts'
import type { Db } from './db/db.ts'
import type { Caller } from './domain/access/caller.ts'
import { readerOf } from './domain/access/reader.ts'
import { ApiError, notFound } from './domain/errors.ts'
import type { ReadRecord } from './domain/ports/record-reader.ts'
import { addressOf } from './domain/record-addresses.ts'
import type { Services } from './http/endpoint.ts'
import type { Gate } from './http/gate.ts'
import { mount } from './http/mount.ts'

/**
 * Reads records as the API shows them, for nobody in particular: the API's own `GET`s answer, behind a gate that knows the
 * company and requires no key. Nothing listens on a port; requests are injected within the process.
 */
export function createRecordReader(db: Db): ReadRecord {
  let app: FastifyInstance | undefined
  return async (companyId, record) => {
    // Reading a record needs only the database.
    app ??= recordApp(db, {} as Services)
    const { statusCode, body } = await app.inject({
      url: addressOf(record),
      headers: { 'x-company': String(companyId) },
    })
    if (statusCode === 404) return null
    if (statusCode !== 200) throw new Error(`The ${record.kind} ${record.record_id} could not be read: ${body}`)
    return JSON.parse(body).data
  }
}

/** The `GET`s of the API for the company in `x-company`; `x-person` says whose calendar is meant. */
export function recordApp(db: Db, services: Services): FastifyInstance {
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof ApiError ? error.status : 500).send(String(error)),
  )
  app.setNotFoundHandler((_request, reply) => reply.code(404).send())
  const reads = apiEndpoints.filter(({ method }) => method === 'GET')
  mount(app, { db, services, publicUrl: undefined }, companyGate(db), reads)
  return app
}

function companyGate(db: Db): Gate<Caller, object> {
  return {
    prefix: '',
    async admit(_endpoint, { headers }) {
      const [id, person] = [Number(headers['x-company']), Number(headers['x-person'] ?? 0)]
      if (!Number.isSafeInteger(id)) throw notFound()
      return readerOf(db, id, { id: person, name: '' })
    },
    isReadOnly: () => true,
    isAudited: () => false,
    comparesVersions: false,
    companyOf: ({ company }) => company.id,
    repeater: () => undefined,
  }
}
