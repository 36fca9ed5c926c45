import Type from 'typebox'
import { LONGEST_VALUE, type Metadata, MOST_KEYS, type SentMetadata } from '../../domain/records/metadata.ts'
import { mustBe } from './schema.ts'

/** The pattern is what we publish; `isKey` is the finer check that our own readers make. */
const Key = { pattern: '^\\S{1,40}$', isKey: true, ...mustBe('a key of 1 to 40 letters, digits, `_`, `.` or `-`') }

/** What an answer shows. */
export const ShownMetadata = Type.Unsafe<Metadata>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'What other systems remember about it',
})

/** What a body may send, for a new record and for a change. */
export const MetadataChanges = Type.Optional(
  Type.Unsafe<SentMetadata>({
    type: ['object', 'null'],
    propertyNames: Key,
    additionalProperties: { type: ['string', 'null'], maxLength: LONGEST_VALUE },
    maxProperties: MOST_KEYS,
    description: 'Merged key by key; null removes a key, or all of them',
  }),
)

/** A filter on it: `metadata[stage]=review`. */
export const MetadataFilter = Type.Optional(
  Type.Unsafe<Metadata>({
    type: 'object',
    propertyNames: Key,
    additionalProperties: { type: 'string', maxLength: LONGEST_VALUE },
    maxProperties: MOST_KEYS,
    description: 'The value of a key, as in `metadata[stage]=review`; with several keys, all must have their value',
  }),
)
