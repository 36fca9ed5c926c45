import type { RawQuery } from '../http/requests/query.ts'
import type { Request } from '../http/requests/request.ts'
import { Refused } from './refused.ts'

/** What was sent by name. OAuth allows nothing twice, except what may be repeated. */
export type Fields = Record<string, string>

/** The names that are there twice; whoever reads the first and whoever reads the last would read two requests. */
export function repeatedIn(query: RawQuery): string[] {
  return Object.keys(query).filter(name => Array.isArray(query[name]))
}

/** The fields of a form (RFC 6749, appendix B). An empty one counts as left out. */
export function formIn({ body, sentContentType = '' }: Request): Fields {
  if (body?.tooLarge) throw new Refused('invalid_request', 'The body is too large.')
  if (!/^application\/x-www-form-urlencoded(?:;|$)/i.test(sentContentType.trim()))
    throw new Refused('invalid_request', 'The body must be application/x-www-form-urlencoded.')
  const fields: Fields = Object.create(null)
  for (const [name, value] of new URLSearchParams(body?.bytes.toString('utf8') ?? '')) {
    if (name in fields) throw new Refused('invalid_request', 'A parameter is repeated.')
    if (value !== '') fields[name] = value
  }
  return fields
}

export function required(fields: Fields, name: string): string {
  const value = fields[name]
  if (value === undefined) throw new Refused('invalid_request', `${name} is missing.`)
  return value
}
