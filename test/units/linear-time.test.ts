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
import { fromRichText } from '../../src/lib/rich-text.ts'
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

  it('as an e-mail address of dots, a name or a content type of spaces, and rich text that is as deep as it is long', async () => {
    const read = bodyReader(Type.Object({ name: Name(), email: Email() }))
    for (const fields of [
      (size: number) => ({ name: 'x', email: `a@${'.'.repeat(size)} ` }),
      (size: number) => ({ name: ' '.repeat(size), email: 'a@b.c' }),
    ])
      await expectLinear(size => attempt(() => read(parseBody(bytesOf(fields(size))), () => {})))
    await expectLinear(size => expect(isJsonInUtf8(`application/json${' '.repeat(size)}x`)).toBe(false))
    await expectLinear(size => fromRichText('<b>'.repeat(size / 3)))
  })
})

const repeated = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length))

describe('However hostile it is, what a calendar server answers is read in linear time', { timeout: 300_000 }, () => {
  const CALENDAR = (lines: string) =>
    `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n${lines}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
  const OURS = CALENDAR('LOCATION:Here\r\nORGANIZER:mailto:a@b.c\r\nATTENDEE;CN=D:mailto:d@b.c')

  it('in an event', async () => {
    for (const [beginning, unit, end] of [
      ['', 'GEO:1\r\n', ''],
      ['', 'LOCATION:x\r\n', ''],
      ['X-A:', '\r\n x', ''],
      ['X-A:', 'عربي', ''],
      ['', '\n', ''],
      ['', 'BEGIN:VALARM\r\n', ''],
      ['', 'BEGIN:VALARM\r\nEND:VALARM\r\n', ''],
      ['BEGIN:A', ' ', 'x'],
      ['ATTENDEE', ';A=B', ':mailto:d@b.c'],
      ['LOCATION;A=', '"', ':x'],
      ['LOCATION', ':', ''],
      ['', 'ATTENDEE:mailto:d@b.c\r\n', ''],
    ] as const)
      await expectLinear(size => mergeEvent(CALENDAR(beginning + repeated(unit, size) + end), OURS))
  })

  const DEEP = Array<string[]>(4).fill(['response', 'propstat', 'prop', 'x', 'y']).flat()
  const nested = (names: string[]) =>
    names.map(name => `<${name}>`).join('') +
    names
      .toReversed()
      .map(name => `</${name}>`)
      .join('')
  const IN_HREF = '<multistatus><response><href>'

  it('in a multistatus', async () => {
    for (const [beginning, unit, end] of [
      ['<multistatus>', '<a>', ''],
      ['<multistatus>', nested(Array(25).fill('response')), ''],
      ['<multistatus>', nested(DEEP), ''],
      ['<multistatus>', '</a>', ''],
      [IN_HREF, '<', ''],
      [IN_HREF, '&lt;', ''],
      [IN_HREF, '&', ''],
      [`${IN_HREF}&#`, '9', ';'],
      [`${IN_HREF}<![CDATA[`, ']]', ''],
      ['<!--', '--', ''],
      ['', '<!a>', ''],
      ['', '<?a?>', ''],
      ['<multistatus', ' a="b"', '/>'],
      ['<multistatus a="', '&lt;', '"/>'],
      ['<', 'a:', '/>'],
      ['<multistatus><response><status>', ' 2', ''],
    ] as const)
      await expectLinear(size => parseMultistatus(beginning + repeated(unit, size) + end))
    await expectLinear(size => parseMultistatus(`<${'a'.repeat(size)}>${repeated('<b/>', size)}`))
    const different = (size: number) => Array.from({ length: size / 10 }, (_, n) => `a${n}="${n}"`).join(' ')
    await expectLinear(size => parseMultistatus(`<a ${different(size)}/>`))
  })

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
