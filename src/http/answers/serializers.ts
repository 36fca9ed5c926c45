import compile from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'

type Serialize = (answer: unknown) => string

const compiled = new WeakMap<object, Serialize>()

/** Writes an answer as its schema says, and nothing that the schema does not name. */
export function serializerFor(schema: object): Serialize {
  const serialize = compiled.get(schema) ?? compile(schema)
  compiled.set(schema, serialize)
  return serialize
}

/** Each serializer is compiled for the first answer that needs it: compiling all would take longer than the rest of the start. */
export function serializeWhenAsked(app: FastifyInstance): void {
  app.setSerializerCompiler<object>(({ schema }) => {
    let serialize: Serialize | undefined
    return answer => {
      serialize ??= serializerFor(schema)
      return serialize(answer)
    }
  })
}
