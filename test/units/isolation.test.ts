import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkTo, ours, say, toHeader, toHtml, toLine, toText } from '../../src/lib/isolation.ts'

const [LRI, FSI, PDI] = ['\u2066', '\u2068', '\u2069']
const COMMANDS = [...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069']

describe("A phrase with somebody's text in it", () => {
  it('isolates it in plain text and in HTML, and leaves our own words alone', () => {
    const phrase = say`${'ليلى'} moved “${'Site (2)'}”${ours(' today')}.`
    expect(toText(phrase)).toBe(`${FSI}ليلى${PDI} moved “${FSI}Site (2)${PDI}” today.`)
    expect(toHtml(phrase)).toBe('<bdi>ليلى</bdi> moved “<bdi>Site (2)</bdi>” today.')
  })

  it('begins a line with a mark of our direction where the text comes first', () => {
    expect(toLine(say`${'ليلى'} changed it.`, 'ltr')).toBe(`\u200e${FSI}ليلى${PDI} changed it.`)
    expect(toLine(say`${'Layla'} غيّرته.`, 'rtl')).toBe(`\u200f${FSI}Layla${PDI} غيّرته.`)
    expect(toLine(say`“${'ليلى'}” is new.`, 'ltr')).toBe(`\u200e“${FSI}ليلى${PDI}” is new.`)
    expect(toLine(say`Hello ${'ليلى'},`, 'ltr')).toBe(`Hello ${FSI}ليلى${PDI},`)
  })

  it.each([
    ['ltr', 'Site visit (2)', false],
    ['ltr', '2026', false],
    ['ltr', 'Site زيارة', true],
    ['rtl', 'زيارة (2)', false],
    ['rtl', 'زيارة Site', true],
    ['rtl', '2026/12/01 - 5', true],
  ] as const)('isolates it in a header that runs %s, for %j: %j', (direction, title, isIsolated) => {
    const shown = isIsolated ? `${FSI}${title}${PDI}` : title
    expect(toHeader(say`x: ${title}`, direction)).toBe(`x: ${shown}`)
  })

  it('lets nothing in it turn the line around, end it, or become markup', () => {
    const text = fc.array(
      fc.oneof(fc.constantFrom(...COMMANDS, '\n', '\r', '\u2028', '<b>', '&', '"', 'ا'), fc.string()),
    )
    const property = fc.property(
      text.map(pieces => pieces.join('')),
      hostile => {
        const lines = [
          toText(say`a ${hostile} b`),
          toHeader(say`a ${hostile} b`, 'ltr'),
          toHeader(say`ا ${hostile}`, 'rtl'),
        ]
        for (const line of lines) {
          const commands = [...line].filter(character => COMMANDS.includes(character)).join('')
          // Ours, around the text and around phrases in it, each closed.
          expect(commands).toMatch(/^(?:[\u2067\u2068](?:\u2066\u2069)*\u2069)?$/)
          expect(line).not.toMatch(/[\r\n\u2028\u2029]/)
        }
        const html = toHtml(say`a ${hostile} b`)
        expect((html.match(/<[^>]*>/g) ?? []).join('')).toMatch(
          /^<bdi(?: dir="rtl")?>(?:<bdi dir="ltr"><\/bdi>)*<\/bdi>$/,
        )
        expect([...html].some(character => COMMANDS.includes(character))).toBe(false)
      },
    )
    // What is isolated as a whole, in brackets, is not isolated once more in its parts.
    fc.assert(property, { examples: [['ا( :A)'], ['ا( A ٠-١-٢ +)']] })
  })

  it('runs from right to left if most of its words do, whatever its first letter is', () => {
    const phrase = say`New: ${'Diwan برنامج لإدارة المشاريع'}`
    expect(toText(phrase)).toBe(`New: \u2067Diwan برنامج لإدارة المشاريع${PDI}`)
    expect(toHtml(phrase)).toBe('New: <bdi dir="rtl">Diwan برنامج لإدارة المشاريع</bdi>')
    expect(toLine(say`${'Diwan برنامج لإدارة المشاريع'} is new`, 'ltr')).toMatch(/^\u200e\u2067/)
  })

  it('keeps telephone numbers, dates and signs in order inside Arabic', () => {
    const phrase = say`${'هاتف 011-234-5678 أو <C++> أو 5-10'}`
    expect(toText(phrase)).toBe(`${FSI}هاتف ${LRI}011-234-5678${PDI} أو ${LRI}<C++>${PDI} أو 5-10${PDI}`)
    expect(toHtml(phrase)).toBe(
      '<bdi>هاتف <bdi dir="ltr">011-234-5678</bdi> أو <bdi dir="ltr">&#60;C++&#62;</bdi> أو 5-10</bdi>',
    )
  })

  it('sets a link off by spaces, so that a mail program makes the address and nothing else clickable', () => {
    const url = 'https://meet.example.com/a?b="1"&c=<2>'
    expect(toText(say`Link: ${linkTo(url)}`)).toBe(`Link: ${LRI} ${url} ${PDI}`)
    expect(toHtml(linkTo(url))).toBe(
      '<a href="https://meet.example.com/a?b=%221%22&#38;c=%3C2%3E" dir="ltr">https://meet.example.com/a?b=&#34;1&#34;&#38;c=&#60;2&#62;</a>',
    )
  })

  it('makes no link of what is no web address', () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'https://', 'meet'])
      expect(toHtml(linkTo(url))).not.toContain('href')
  })
})
