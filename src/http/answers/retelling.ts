import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { retold } from '../../domain/sentences/retold.ts'
import { languageFor } from './language.ts'

type Retell = (value: unknown) => unknown

/**
 * Tells the sentences of ours that an answer contains in the language of its reader: `Sentence` in its schema says where they
 * are. Undefined for an answer without any, which is the same for everybody.
 */
export function retelling(schema: TSchema) {
  const retell = inArabic(schema)
  return (
    retell &&
    (async (request: FastifyRequest, reply: FastifyReply, answer: unknown) => {
      // A refusal has said its language already.
      if (reply.statusCode >= 400) return answer
      return languageFor(request, reply) === 'ar' ? retell(answer) : answer
    })
  )
}

interface Part {
  isSentence?: boolean
  items?: TSchema
  properties?: Record<string, TSchema>
}

/** Copies what it changes: an answer may be given to several callers. */
function inArabic(schema: TSchema): Retell | undefined {
  const { isSentence, items, properties = {} } = schema as Part
  if (isSentence) return value => (typeof value === 'string' ? retold(value).ar : value)
  const ofItem = items && inArabic(items)
  if (ofItem) return value => (Array.isArray(value) ? value.map(ofItem) : value)
  const inside = Object.entries(properties).flatMap(([name, part]): [string, Retell][] => {
    const retell = inArabic(part)
    return retell ? [[name, retell]] : []
  })
  return inside.length > 0 ? value => withRetold(value, inside) : undefined
}

function withRetold(value: unknown, inside: [name: string, retell: Retell][]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const fields = value as Record<string, unknown>
  return { ...fields, ...Object.fromEntries(inside.map(([name, retell]) => [name, retell(fields[name])])) }
}
