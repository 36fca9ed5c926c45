import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromRichText, plainText, toRichText } from '../../src/lib/rich-text.ts'
import { isStorableText } from '../../src/lib/text.ts'

const piece = fc.oneof(
  fc.constantFrom(
    ...'\n|\r|\r\n| |<|>|&|"|;|#|&amp;|&#10;|&nbsp|<br>|<p>|</p>|<attachment filename="x">|<!--|<script>'.split('|'),
  ),
  fc.string({ unit: 'binary' }),
)
const text = fc
  .array(piece, { maxLength: 40 })
  .map(parts => parts.join(''))
  .filter(isStorableText)

it('Plain text comes back from rich text with the files that were embedded in it, and none of it is markup', () => {
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 3 }), (plain, attachments) => {
      expect(fromRichText(toRichText(plain, attachments))).toEqual({ text: plain, attachments })
      expect(toRichText(plain).replaceAll('<br>', '')).not.toMatch(/[<>]/)
    }),
  )
  expect(plainText(null)).toBeNull()
})

it('Rich text that others wrote is read line by line', () => {
  for (const [html, read, attachments] of [
    ['<p>one</p><p>two</p>', 'one\ntwo', []],
    ['<b>one<section>two</section></b>', 'onetwo', []],
    ['<ul><li>one</li><li>two</li></ul>', 'one\ntwo', []],
    ['&lt;b&gt; &quot;&#39;&nbsp;&#128640;', '<b> "\'\u00a0🚀', []],
    ['a<script>alert(1)</script><!-- hidden -->b', 'ab', []],
    ['<p>See</p><attachment filename="&lt;خطة&gt;.pdf"></attachment>', 'See', ['<خطة>.pdf']],
  ] as const)
    expect([html, fromRichText(html)]).toEqual([html, { text: read, attachments }])
})
