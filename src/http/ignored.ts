import type { FastifyReply } from 'fastify'
import type { TObject } from 'typebox'

const MAX_NAMES = 20
const MAX_CHARACTERS = 20

/** Names what was sent but is not known here, as far as a header can carry the names: one may be a misspelling. */
export function tellIgnored(reply: FastifyReply, what: 'fields' | 'parameters', names: string[]): void {
  if (names.length > 0) reply.header(`x-ignored-${what}`, names.slice(0, MAX_NAMES).map(shown).join(', '))
}

/** What a caller was told about the ignored fields of its body. */
export function ignoredFields(reply: FastifyReply): string | undefined {
  return reply.getHeader('x-ignored-fields')?.toString()
}

function shown(name: string): string {
  return encodeURIComponent(shortened(name))
}

/** The part of a name chosen by a stranger that we are willing to repeat. */
export function shortened(name: string): string {
  const beginning = name.slice(0, 2 * MAX_CHARACTERS).toWellFormed()
  return [...beginning].slice(0, MAX_CHARACTERS).join('')
}

/** The parameters of a query that an endpoint does not know. */
export function unknownParameters(known: TObject | undefined, query: object): string[] {
  return Object.keys(query).filter(name => name !== '' && !Object.hasOwn(known?.properties ?? {}, name))
}
