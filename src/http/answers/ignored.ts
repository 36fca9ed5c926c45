import type { FastifyReply } from 'fastify'
import { beginningOf } from '../../lib/text.ts'

const MAX_NAMES = 20
const MAX_CHARACTERS = 20
const LONGEST_HEADER = 1_000

/** Names what was sent but is not known here: it may be a misspelling. */
export function reportIgnored(reply: FastifyReply, what: 'fields' | 'parameters', names: string[]): void {
  const text = ignoredText(names)
  if (text !== undefined) reply.header(`x-ignored-${what}`, text)
}

/** The names, as far as a header can carry them. */
export function ignoredText(names: string[]): string | undefined {
  if (names.length === 0) return undefined
  const [first = '', ...others] = names.slice(0, MAX_NAMES).map(shown)
  return others.reduce(
    (before, name) => (before.length + name.length < LONGEST_HEADER ? `${before}, ${name}` : before),
    first,
  )
}

/** What a caller was told about the ignored fields of its body. */
export function ignoredFields(reply: FastifyReply): string | undefined {
  return reply.getHeader('x-ignored-fields')?.toString()
}

function shown(name: string): string {
  return encodeURIComponent(beginningOf(name, MAX_CHARACTERS))
}
