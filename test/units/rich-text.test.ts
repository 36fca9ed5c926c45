import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromRichText, plainText, toRichText } from '../../src/lib/rich-text.ts'
import { isStorableText } from '../../src/lib/text.ts'

describe('Plain text', () => {
  const pieces = [
    '\n',
    '\r',
    '\r\n',
    ' ',
    '<',
    '>',
    '&',
    '"',
    "'",
    ';',
    '#',
    '&amp;',
    '&#10;',
    '&#x0d;',
    '&nbsp',
    '<br>',
    '<p>',
    '</p>',
  ]
  const piece = fc.oneof(
    fc.constantFrom(
      ...pieces,
      '<attachment filename="x">',
      '<!--',
      '-->',
      '<script>',
      '</script>',
      '<![CDATA[',
      ']]>',
      '\u00a0',
      '🚀',
    ),
    fc.string({ unit: 'binary' }),
  )
  const text = fc.array(piece, { maxLength: 40 }).map(parts => parts.join(''))

  it('comes back from rich text exactly, with no attachments, whatever it is', () => {
    fc.assert(
      fc.property(text.filter(isStorableText), plain => {
        expect(fromRichText(toRichText(plain))).toEqual({ text: plain, attachments: [] })
      }),
      { numRuns: 2_000 },
    )
  })

  it('comes back with the files that were embedded after it, whatever they are called', () => {
    fc.assert(
      fc.property(
        text.filter(isStorableText),
        fc.array(text.filter(isStorableText), { maxLength: 3 }),
        (plain, attachments) => {
          expect(fromRichText(toRichText(plain, attachments))).toEqual({ text: plain, attachments })
        },
      ),
    )
  })

  it('is stored as HTML in which none of it is markup but its line breaks', () => {
    fc.assert(
      fc.property(text.filter(isStorableText), plain => {
        expect(toRichText(plain).replaceAll('<br>', '')).not.toMatch(/[<>]/)
      }),
    )
  })
})

describe('Rich text', () => {
  it.each([
    ['', '', []],
    ['no markup', 'no markup', []],
    ['<p>one</p><p>two</p>', 'one\ntwo', []],
    ['<div>one<br>two</div>', 'one\ntwo', []],
    ['<p>one<section>two</section>', 'one\ntwo', []],
    ['<b>one<section>two</section></b>', 'onetwo', []],
    ['<ul><li>one</li><li>two</li></ul>', 'one\ntwo', []],
    ['<h1>Title</h1>text', 'Title\ntext', []],
    ['text<blockquote>quote</blockquote>more', 'text\nquote\nmore', []],
    ['<strong>a</strong><em>b</em> <a href="x">c</a>', 'ab c', []],
    ['&lt;b&gt; &amp; &quot;&#39;&nbsp;&#128640;', '<b> & "\'\u00a0🚀', []],
    ['a<script>alert(1)</script><style>b{}</style>b', 'ab', []],
    ['a<!-- hidden -->b', 'ab', []],
    ['See <attachment filename="plan.pdf">plan.pdf</attachment>!', 'See !', ['plan.pdf']],
    ['<p>See</p><attachment filename="plan.pdf"></attachment>', 'See', ['plan.pdf']],
    ['<attachment filename="1"></attachment><p>then</p><attachment filename="2"></attachment>', 'then', ['1', '2']],
    ['<attachment filename="a"><figure><img><figcaption>a</figcaption></figure></attachment>b', 'b', ['a']],
    ['<attachment filename="&lt;خطة&gt; &amp; &quot;1&quot;.pdf"></attachment>', '', ['<خطة> & "1".pdf']],
  ])('%j reads %j with the attachments %j', (html, text, attachments) =>
    expect(fromRichText(html)).toEqual({ text, attachments }),
  )

  it('that is broken is read all the same', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('<', '</', '<p', '<p>', '</p>', '<attachment', ' filename=', '"', '>', 'x', '&#', '&'),
          { maxLength: 30 },
        ),
        parts => {
          expect(typeof fromRichText(parts.join('')).text).toBe('string')
        },
      ),
    )
  })

  it('that is not there has no text', () => expect(plainText(null)).toBeNull())
})
