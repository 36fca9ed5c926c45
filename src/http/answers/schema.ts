import Type, { type TObject, type TProperties, type TSchema } from 'typebox'
import type { Said } from '../../domain/sentences/sentences.ts'
import type { Cursor } from '../requests/cursor.ts'

// The building blocks of every declaration. Each is JSON Schema: the same object validates, serializes, types and documents.

export const Nullable = <T extends TSchema>(schema: T) => {
  const { type, enum: values }: { type?: unknown; enum?: unknown } = schema
  return Type.Unsafe<Type.Static<T> | null>({
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
  })
}

export const OneOf = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })

/**
 * A name or title: it must contain a visible character. The pattern is what we publish, because generators and validators of
 * every language understand it; `visible` is the finer check that our own reader makes.
 */
export const Name = (options: object = {}) => Type.String({ pattern: '\\S', visible: true, maxLength: 255, ...options })
/** What another system calls the record, as it can be sent. */
export const ExternalId = () =>
  Type.Optional(
    Nullable(Name({ description: "The other system's id of the record, unique in the company; null for none" })),
  )
/** The same as it is shown. */
export const ShownExternalId = () =>
  Nullable(Type.String({ description: "The other system's id of the record; addresses take it as `ext:` and the id" }))

/** The filter by external ids. */
export const ExternalIds = () =>
  Type.Array(Type.String(), { maxItems: 50, description: 'With any of these external ids' })

/** What a refusal says a text must be that does not fit its length or pattern. */
export const mustBe = (what: Said) => ({ mustBe: what })
/** A sentence of ours, in English. People read it in their own language, where the surface is one for people. */
export const Sentence = (options: object = {}) => Type.String({ isSentence: true, ...options })
/** Notes, bodies, comments. */
export const Text = (options: object = {}) => Type.String({ maxLength: 65_535, ...options })
export const Day = (options: object = {}) => Type.String({ format: 'date', ...options })
export const Instant = (options: object = {}) => Type.String({ format: 'date-time', ...options })
export const Email = (options: object = {}) => Type.String({ format: 'email', maxLength: 254, ...options })
export const Id = (options: object = {}) => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...options })

export const Single = <T extends TSchema>(data: T) => Type.Object({ data })

const Meta = Type.Object(
  {
    total: Type.Integer({ description: 'Records that match, before limit and offset' }),
    limit: Type.Integer(),
    offset: Type.Integer(),
    count: Type.Integer({ description: 'Records in this page' }),
    next_cursor: Nullable(Type.String({ description: '`cursor` of the next page; null on the last one' })),
  },
  { title: 'PageMeta' },
)

export const Collection = <T extends TSchema>(record: T) => Type.Object({ data: Type.Array(record), meta: Meta })

/** A collection whose total is exact up to 10,000. */
export const BoundedCollection = <T extends TSchema>(record: T) =>
  Type.Object({
    data: Type.Array(record),
    meta: Type.Object({
      ...Meta.properties,
      total: Type.Integer({ description: 'Records that match, before limit and offset; at most 10,000' }),
      total_is_lower_bound: Type.Optional(Type.Boolean({ description: 'True when there are more than `total`' })),
    }),
  })
export const COUNTED_UP_TO = 10_000

export const True = Type.Unsafe<boolean>({ type: 'boolean', const: true })

export const Deleted = <T extends TProperties>(properties: T) =>
  Type.Object({ data: Type.Object({ deleted: True, ...properties }) })

/** The same fields, all optional, for a PATCH. */
export const Changes = <T extends TProperties>(
  schema: TObject<T>,
  examples = (schema as { examples?: unknown[] }).examples,
) => Type.Partial(schema, { examples })

/** The content of a file. */
export const Bytes = Type.Unsafe<never>({ type: 'string', format: 'binary' })

export const LONGEST_PAGE = 100
export const Paging = {
  limit: Type.Integer({ default: 50, minimum: 1, maximum: LONGEST_PAGE, description: 'Page size; clamped to 1..100' }),
  offset: Type.Integer({ default: 0, minimum: 0, description: 'Records to skip' }),
  cursor: Type.Unsafe<Cursor>({
    type: 'string',
    description: '`meta.next_cursor` of the page before, with the same query otherwise; it outranks `offset`',
  }),
}

export const ErrorBody = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    cursor: Type.Optional(Type.String({ description: 'Where to start again; with cursor_expired only' })),
    id: Type.Optional(
      Type.String({ description: 'The record that already has the `external_id`; with that conflict only' }),
    ),
    path: Type.Optional(Type.String({ description: 'The path no endpoint answers; with unknown_endpoint only' })),
  }),
})
