import type { ErrorObject } from 'ajv'
import { joined, type Said, say, type Words, wordsOf } from '../../domain/sentences/sentences.ts'
import { dateProblem } from '../../domain/time/dates.ts'
import { FIRST_HIJRI_YEAR, LAST_HIJRI_YEAR } from '../../lib/hijri.ts'
import { HIJRI_FORMAT } from '../answers/hijri.ts'

/** What we read of the schema of a field. */
export interface Field {
  type?: string | string[]
  format?: string
  enum?: (string | null)[]
  maxLength?: number
  items?: Field
  properties?: Record<string, Field>
  additionalProperties?: Field
  /** A JSON number is accepted, as the text in which it was written. */
  numberAsText?: boolean
}

/** What a fault that ajv found means for a caller. */
export function problemOf({ keyword, params, parentSchema, data }: ErrorObject): Said {
  const schema = parentSchema as Field
  switch (keyword) {
    case 'pattern':
    case 'visible':
      return "can't be blank"
    case 'type':
      return data === null ? "can't be blank" : say('must be {what}', { what: typeNames(schema) })
    case 'enum':
      return say('must be one of {values}', { values: (schema.enum ?? []).filter(value => value !== null).join(', ') })
    case 'maxLength':
      return say('is too long: at most {limit} characters', params as Limit)
    case 'format':
      return params.format === 'date'
        ? (dateProblem(String(data)) as Said)
        : say('must be {what}', { what: FORMATS[params.format as string] as Words })
    case 'minItems':
      return say('must have at least {limit} entries', params as Limit)
    case 'maxItems':
      return say('must have at most {limit} entries', params as Limit)
    case 'minimum':
      return say('must be at least {limit}', params as Limit)
    case 'maximum':
      return say('must be at most {limit}', params as Limit)
    default:
      return 'is invalid'
  }
}

/** What ajv says of the fault of a length or a bound. */
interface Limit {
  limit: number
}

export const HIJRI_DAY = say('a day of the Umm al-Qura calendar from {first} to {last}, such as 1448-06-05', {
  first: FIRST_HIJRI_YEAR,
  last: LAST_HIJRI_YEAR,
})

const FORMATS: Record<string, Words> = {
  [HIJRI_FORMAT]: HIJRI_DAY,
  email: wordsOf('an e-mail address'),
  uri: wordsOf('an http or https URL without spaces, such as https://example.com/page'),
}

const TYPES: Record<string, Said> = {
  string: 'a string',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

function typeNames({ type = [] }: Field): Words {
  return joined(
    [type].flat().map(name => TYPES[name] as Said),
    { en: ' or ', ar: ' أو ' },
  )
}
