import * as fc from 'fast-check'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { parseMultistatus } from '../../src/adapters/caldav/multistatus.ts'
import { adminEndpoints } from '../../src/admin/endpoints.ts'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { mergeEvent } from '../../src/domain/calendars/icalendar-merge.ts'
import { ApiError } from '../../src/domain/errors.ts'
import { Email, Name } from '../../src/http/answers/schema.ts'
import { bodyReader, parseBody } from '../../src/http/requests/body.ts'
import { createCursors } from '../../src/http/requests/cursor.ts'
import { readQuery } from '../../src/http/requests/query.ts'
import { preferredEncoding } from '../../src/lib/accept-encoding.ts'
import { readRange } from '../../src/lib/byte-range.ts'
import { attachmentNamed } from '../../src/lib/content-disposition.ts'
import { westernDigits } from '../../src/lib/digits.ts'
import { parseMinutes } from '../../src/lib/duration.ts'
import { extensionOf, fileNameProblem } from '../../src/lib/file-name.ts'
import { isJsonInUtf8 } from '../../src/lib/media-type.ts'
import { fromRichText, toRichText } from '../../src/lib/rich-text.ts'
import { slugify } from '../../src/lib/slug.ts'
import { isStorableText } from '../../src/lib/text.ts'
import { expectLinear } from '../support/growth.ts'

/** Something repeated between a beginning and an end: what makes a pattern try again and again. */
const hostile = fc
  .record({
    beginning: fc.constantFrom('', 'a@', 'application/json', 'https://', '<p', 'a.', '1:', 'bytes='),
    unit: fc.oneof(
      fc.constantFrom(...'=.@ -"<&;/\\0aTا٣٫%:+\t', '..', ' .', '.a', '; ', '+j', '<b>', '&a', '🚀'),
      fc.string({ minLength: 1, maxLength: 3 }),
    ),
    end: fc.constantFrom('', 'A', ' ', '\u0000', 'x', '=', '.'),
  })
  .map(({ beginning, unit, end }) => {
    const text = (size: number) => beginning + unit.repeat(Math.ceil(size / unit.length)) + end
    return Object.assign(text, { [fc.toStringMethod]: () => JSON.stringify([beginning, unit, end]) })
  })

function bytesOf(fields: object) {
  const bytes = Buffer.from(JSON.stringify(fields))
  return { contentType: undefined, contentEncoding: undefined, bytes, tooLarge: false }
}

/** Reads, or is refused as a caller is refused. */
function attempt(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
  }
}

const endpoints = [...apiEndpoints, ...adminEndpoints]
const fields = endpoints.flatMap(({ summary, body }) =>
  body ? Object.keys(body.properties).map(name => ({ summary, body, name })) : [],
)
const asking = { params: {}, readCursor: createCursors('a secret of the tests') }
const queries = endpoints.flatMap(endpoint =>
  Object.keys(endpoint.query?.properties ?? {}).map(name => ({ endpoint, name })),
)

const READERS: Record<string, (text: string) => unknown> = {
  isJsonInUtf8,
  westernDigits,
  isStorableText,
  slugify,
  fileNameProblem,
  extensionOf,
  parseMinutes,
  attachmentNamed,
  toRichText,
  fromRichText,
  readRange: text => readRange(text, 1_000),
  preferredEncoding: text => preferredEncoding(text, ['br', 'gzip']),
}

describe('However large it is, hostile text takes linear time', { timeout: 300_000 }, () => {
  it('in any field of any body', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...fields), hostile, async ({ body, name }, text) => {
        const read = bodyReader(body)
        const bodies = new Map<number, ReturnType<typeof bytesOf>>()
        await expectLinear(size => {
          const raw = bodies.get(size) ?? bytesOf({ [name]: text(size) })
          bodies.set(size, raw)
          attempt(() => read(parseBody(raw), () => {}))
        })
      }),
      { numRuns: 40, endOnFailure: true },
    )
  })

  it('in any parameter of any query', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...queries), hostile, async ({ endpoint, name }, text) =>
        expectLinear(size => attempt(() => readQuery(endpoint, { [name]: text(size) }, asking))),
      ),
      { numRuns: 20, endOnFailure: true },
    )
  })

  it.each(Object.entries(READERS))('for %s', async (_, read) => {
    await fc.assert(
      fc.asyncProperty(hostile, text => expectLinear(size => read(text(size)))),
      { numRuns: 6, endOnFailure: true },
    )
  })

  it.each([
    ['an e-mail address of dots', 'email', (size: number) => `a@${'.'.repeat(size)} `],
    ['a name of spaces', 'name', (size: number) => ' '.repeat(size)],
  ])('as %s', async (_, name, text) => {
    const read = bodyReader(Type.Object({ name: Name(), email: Email() }))
    await expectLinear(size =>
      attempt(() => read(parseBody(bytesOf({ name: 'x', email: 'a@b.c', [name]: text(size) })), () => {})),
    )
  })

  it.each([
    ['never closed', '<b>', ''],
    ['that begin lines', '<div>', ''],
    ['that hide what is in them', '<template>', ''],
    ['all closed', '<b>', '</b>'],
    ['closed by the names of others', '<b>', '</i>'],
  ])('for rich text with elements nested as deep as it is long, %s', async (_, opening, closing) => {
    const nested = (size: number) => {
      const depth = Math.ceil(size / (opening + closing).length)
      return opening.repeat(depth) + closing.repeat(depth)
    }
    await expectLinear(size => fromRichText(nested(size)))
  })

  it('as a content type of spaces', async () => {
    await expectLinear(size => expect(isJsonInUtf8(`application/json${' '.repeat(size)}x`)).toBe(false))
  })
})

const repeated = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length))

describe('However hostile it is, what a calendar server answers is read in linear time', { timeout: 300_000 }, () => {
  const CALENDAR = (lines: string) =>
    `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n${lines}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
  const OURS = CALENDAR('LOCATION:Here\r\nORGANIZER:mailto:a@b.c\r\nATTENDEE;CN=D:mailto:d@b.c')

  it.each([
    ['a property that repeats another', '', 'GEO:1\r\n', ''],
    ['long lines of it', '', `GEO:${'1'.repeat(60)}\r\n`, ''],
    ['the property that is repeated', '', 'LOCATION:x\r\n', ''],
    ['a line that is folded at every character', 'X-A:', '\r\n x', ''],
    ['one long line', 'X-A:', 'x', ''],
    ['one long line in Arabic', 'X-A:', 'عربي', ''],
    ['empty lines', '', '\n', ''],
    ['components that are not closed', '', 'BEGIN:VALARM\r\n', ''],
    ['components that are closed', '', 'BEGIN:VALARM\r\nEND:VALARM\r\n', ''],
    ['a beginning that is none', 'BEGIN:A', ' ', 'x'],
    ['parameters of a person', 'ATTENDEE', ';A=B', ':mailto:d@b.c'],
    ['parameters of a place', 'LOCATION', ';A=B', ':x'],
    ['parameters without names', 'LOCATION', ';', ':x'],
    ['quotes in parameters', 'LOCATION;A=', '"', ':x'],
    ['colons', 'LOCATION', ':', ''],
    ['one person', '', 'ATTENDEE:mailto:d@b.c\r\n', ''],
  ])('in an event: %s', (_, beginning, unit, end) =>
    expectLinear(size => mergeEvent(CALENDAR(beginning + repeated(unit, size) + end), OURS)),
  )

  const DEEP = Array<string[]>(4).fill(['response', 'propstat', 'prop', 'x', 'y']).flat()
  const nested = (names: string[]) =>
    names.map(name => `<${name}>`).join('') +
    names
      .toReversed()
      .map(name => `</${name}>`)
      .join('')
  const IN_HREF = '<multistatus><response><href>'

  it.each([
    ['elements that are not closed', '<multistatus>', '<a>', ''],
    ['responses in responses', '<multistatus>', '<response>', ''],
    ['responses in responses that are closed', '<multistatus>', nested(Array(25).fill('response')), ''],
    ['groups of properties in each other', '<multistatus>', nested(DEEP), ''],
    ['empty responses', '<multistatus>', '<response/>', ''],
    ['ends without a beginning', '<multistatus>', '</a>', ''],
    ['brackets', IN_HREF, '<', ''],
    ['entities', IN_HREF, '&lt;', ''],
    ['ampersands', IN_HREF, '&', ''],
    ['numbers of characters', IN_HREF, '&#13;', ''],
    ['a number without an end', `${IN_HREF}&#`, '9', ';'],
    ['empty sections', IN_HREF, '<![CDATA[]]>', ''],
    ['a section that does not end', `${IN_HREF}<![CDATA[`, ']]', ''],
    ['comments', '<multistatus>', '<!---->', ''],
    ['a comment that does not end', '<!--', '--', ''],
    ['declarations', '', '<!a>', ''],
    ['instructions', '', '<?a?>', ''],
    ['attributes', '<multistatus', ' a="b"', '/>'],
    ['entities in an attribute', '<multistatus a="', '&lt;', '"/>'],
    ['a long name', '<', 'a:', '/>'],
    ['spaces', '<multistatus><response><status>', ' ', ''],
    ['digits', '<multistatus><response><status>', ' 2', ''],
  ])('in a multistatus: %s', (_, beginning, unit, end) =>
    expectLinear(size => parseMultistatus(beginning + repeated(unit, size) + end)),
  )

  it('in a multistatus, as fast when everything lies within everything else as when nothing does', () => {
    const within = ['response', 'propstat', 'prop'].flatMap(name => Array<string>(9).fill(name))
    const nested = `${within.map(name => `<${name}>`).join('')}${'<getetag>1</getetag>'.repeat(3_000)}`
    const flat = `<response><propstat><prop>${'<getetag>1</getetag>'.repeat(3_000)}`
    const cost = (answer: string) => {
      const before = process.cpuUsage()
      for (let n = 0; n < 5; n++) parseMultistatus(`<multistatus>${answer}`)
      return process.cpuUsage(before).user
    }
    cost(flat)
    expect(cost(nested)).toBeLessThan(10 * cost(flat))
  })

  it('in a multistatus: a long name around short ones, and attributes with different names', async () => {
    await expectLinear(size => parseMultistatus(`<${'a'.repeat(size)}>${repeated('<b/>', size)}`))
    await expectLinear(size =>
      parseMultistatus(`<a ${Array.from({ length: size / 10 }, (_, n) => `a${n}="${n}"`).join(' ')}/>`),
    )
  })
})

describe('Every field', () => {
  it('that has a pattern or a format has a length that is looked at first', () => {
    const strings = fields.flatMap(({ summary, body, name }) => {
      const schema = body.properties[name] as { format?: string; pattern?: string; maxLength?: number; enum?: unknown }
      // A date is as long as a date, or it is none.
      const isChecked = (schema.format !== undefined && schema.format !== 'date') || schema.pattern !== undefined
      return isChecked && schema.maxLength === undefined ? [`${name} of ${summary}`] : []
    })
    expect(strings).toEqual([])
  })

  it('is judged up to its first fault, and every faulty one is named', () => {
    const Owner = Type.Object({ name: Name(), email: Email() })
    const read = bodyReader(Type.Object({ name: Name(), email: Email(), tags: Type.Array(Name()), owner: Owner }))
    const sent = { email: ' '.repeat(300), tags: ['x', 1, 2], owner: { name: ' ', email: 'nobody' } }
    expect(() => read(parseBody(bytesOf(sent)), () => {})).toThrow(
      "name can't be blank; email is too long: at most 254 characters; tags[1] must be a string; " +
        "owner.name can't be blank; owner.email must be an e-mail address",
    )
  })
})
