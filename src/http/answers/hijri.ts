import type { TObject, TSchema } from 'typebox'
import Type from 'typebox'
import { unprocessable } from '../../domain/errors.ts'
import { say } from '../../domain/sentences/sentences.ts'
import { fromHijri, toHijri, UMM_AL_QURA } from '../../lib/hijri.ts'
import { Nullable, OneOf } from './schema.ts'

// Dates are stored and shown in the Gregorian calendar. This file also shows and accepts them in the Hijri calendar.

const SISTER = '_hijri'
export const HIJRI_FORMAT = 'hijri-date'

/** The days of a record in the Hijri calendar, shown when `calendar` asks for them. */
export const HijriDates = (...fields: string[]) =>
  Type.Optional(
    Type.Object(Object.fromEntries(fields.map(field => [field, Nullable(Type.String())])), {
      description: `The same days in the Umm al-Qura calendar; only with \`calendar=${UMM_AL_QURA}\``,
    }),
  )

/** A field that is accepted in place of its Gregorian counterpart. */
export const HijriDay = () =>
  Type.Optional(
    Nullable(
      Type.String({
        format: HIJRI_FORMAT,
        maxLength: 10,
        description: 'A day of the Umm al-Qura calendar, instead of the Gregorian one',
      }),
    ),
  )

/** Parameters that are accepted in place of the dates by which a read filters. */
export function HijriFilters<Name extends string>(...dates: Name[]) {
  const filters = dates.map(date => [
    date + SISTER,
    Type.Optional(
      Type.String({ format: HIJRI_FORMAT, description: `A day of the Umm al-Qura calendar, instead of \`${date}\`` }),
    ),
  ])
  return Object.fromEntries(filters) as Record<`${Name}${typeof SISTER}`, Type.TOptional<Type.TString>>
}

const calendar = Type.Optional(
  OneOf([UMM_AL_QURA], { description: 'Adds `hijri` to each record: its days in the Umm al-Qura calendar' }),
)

/** The query of a read: reads that answer with days accept a `calendar` too. */
export function queryWithCalendar(query: TObject | undefined, returns: TSchema): TObject | undefined {
  return hasDays(returns) ? Type.Object({ ...query?.properties, calendar }) : query
}

const hasDays = (returns: TSchema) => JSON.stringify(returns).includes('"hijri"')

/** Adds the Hijri days to every record of an answer, when the query asks for them. */
export function addHijriDays(answer: unknown, calendar: unknown, returns: TSchema, isStrict: boolean): void {
  if (calendar === undefined) return
  if (calendar === UMM_AL_QURA) addDays(returns, answer)
  else if (isStrict) throw unprocessable('calendar', say('must be {value}', { value: UMM_AL_QURA }))
}

function addDays(schema: TSchema, value: unknown): void {
  const { properties = {}, items }: { properties?: Record<string, TSchema>; items?: TSchema } = schema
  if (Array.isArray(value)) for (const each of value) addDays(items ?? {}, each)
  if (!isRecord(value)) return
  if (properties.hijri) value.hijri = daysOf(properties.hijri, value)
  for (const [name, field] of Object.entries(properties)) if (name !== 'hijri') addDays(field, value[name])
}

/** The value of a time begins with the day on which it falls in the company's time zone. */
function daysOf(schema: TSchema, record: Record<string, unknown>): Record<string, string | null> {
  const { properties = {} }: { properties?: Record<string, TSchema> } = schema
  const days = Object.keys(properties).map(field => {
    const value = record[field]
    return [field, typeof value === 'string' ? toHijri(value.slice(0, 10)) : null]
  })
  return Object.fromEntries(days)
}

/** Converts what was sent as a Hijri day into its Gregorian counterpart. */
export function toGregorian(schema: TSchema, fields: Record<string, unknown>, within = ''): void {
  const { properties = {} }: { properties?: Record<string, TSchema> } = schema
  for (const [name, field] of Object.entries(properties)) {
    const value = fields[name]
    if (name.endsWith(SISTER) && value !== undefined) moveToSister(fields, name, within)
    if ('items' in field && Array.isArray(value))
      value.forEach((each, n) => {
        if (isRecord(each)) toGregorian(field.items as TSchema, each, `${within}${name}[${n}].`)
      })
  }
}

function moveToSister(fields: Record<string, unknown>, name: string, within: string): void {
  const sister = name.slice(0, -SISTER.length)
  if (fields[sister] !== undefined)
    throw unprocessable(within + name, say("can't be sent together with {other}", { other: sister }))
  fields[sister] = fields[name] === null ? null : fromHijri(String(fields[name]))
  delete fields[name]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
