import compile from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'

type Serialize = (answer: unknown) => string

/** Each is compiled with the first answer that needs it: all of them together would take longer than the rest of the start. */
export function serializeWhenAsked(app: FastifyInstance): void {
  const compiled = new WeakMap<object, Serialize>()
  app.setSerializerCompiler<object>(({ schema }) => answer => {
    let serialize = compiled.get(schema)
    if (!serialize) {
      serialize = compile(schema)
      compiled.set(schema, serialize)
    }
    return serialize(answer)
  })
}
