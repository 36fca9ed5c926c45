import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadFonts } from '../../src/adapters/pdf/fonts.ts'
import { markdownToTypst } from '../../src/adapters/pdf/markdown-to-typst.ts'
import { TYPST_TEMPLATE } from '../../src/adapters/pdf/typst-template.ts'
import { typstString, typstText as typstTextOf } from '../../src/adapters/pdf/typst-text.ts'
import { countWords, directionOf } from '../../src/lib/base-direction.ts'

const fonts = loadFonts().choose
const typstText = (text: string) => typstTextOf(text, { fonts, base: 'latin' })
const LITERAL = /"(?:[^"\\]|\\[\\"nr])*"/gs

/** What is written for a document, without the template. */
const written = (markdown: string) => markdownToTypst(markdown, { fonts, title: '' }).slice(TYPST_TEMPLATE.length)
/** The strings in Typst source, read back. */
const strings = (source: string) =>
  (source.match(LITERAL) ?? []).map(literal => JSON.parse(literal.replaceAll(/[\u0000-\u001f]/g, '')) as string)
const withoutFonts = (source: string) => source.replaceAll(/in-font\("[^"]*", /g, '(')
const text = (markdown: string) =>
  strings(withoutFonts(written(markdown)))
    .join('')
    .replaceAll('\u200b', '')

describe('A Typst string', () => {
  it('is one literal that says what went in, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const literal = typstString(text)
        expect(literal.match(LITERAL)).toEqual([literal])
        const read = literal.slice(1, -1).replace(/\\(.)/gs, (_, c) => ({ n: '\n', r: '\r' })[c as string] ?? c)
        expect(read).toBe(text.toWellFormed())
      }),
    )
  })

  it('breaks long runs only, and never in front of a mark', () => {
    expect(typstText('a short text')).toBe('"a short text"')
    expect(typstText('a'.repeat(100))).toBe(`"${'a'.repeat(40)}\u200b${'a'.repeat(40)}\u200b${'a'.repeat(20)}"`)
    expect(typstText(`${'a'.repeat(40)}\u0301b`)).toBe(`"${'a'.repeat(40)}\u0301\u200bb"`)
    expect(strings(typstText('你'.repeat(100))).at(-1)).toBe('你'.repeat(100))
  })

  it('says nothing more than what went in, apart from what is not seen and what no font has', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), text => {
        const said = strings(withoutFonts(typstText(text)))
          .join('')
          .replaceAll(/[\u200b\u2067\u2069]/g, '')
        const kept = [...said].filter(character => character !== '\ufffd' && character !== ' ')
        let from = 0
        for (const character of kept) {
          from = text.indexOf(character, from) + character.length
          expect(from).toBeGreaterThanOrEqual(character.length)
        }
      }),
    )
  })

  it('leaves out the controls that override the direction of text, and no others', () => {
    expect(typstText('a\u202eb\u202cc\u2067d\u2069')).toBe('"abc\u2067d\u2069"')
  })
})

describe('Markdown', () => {
  /** The only words that may stand outside the strings. */
  const WORDS = new Set(
    `show document-of with none ltr rtl paragraph line-of titled code-block ruler quoted listed bullet checkbox tabulated
    auto left center right true false in-font strong emph strike hyperlink inline-code linebreak note super endnote point`.split(
      /\s+/,
    ),
  )
  const markdown = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 8 }),
        fc.constantFrom(
          ...['#', '# ', '\n', '\n\n', '- ', '1. ', '> ', '|a|b|\n|-|:-:|\n', '```', '`', '**', '*', '~~', '[x](', ')'],
          ...[
            '](http://a"b',
            '![',
            '[^1]',
            '\n[^1]: ',
            '^[',
            '"',
            '\\',
            '\\"',
            '#read("x")',
            '$',
            '@a',
            '//',
            '/*',
            '<b>',
          ],
          ...['- [x] ', '    ', '---\n', '&quot;', '&#34;', '\u2028', ';', '}', ')', 'مرحبا', 'a'],
        ),
      ),
      { maxLength: 40 },
    )
    .map(pieces => pieces.join(''))

  it('never becomes code: outside of strings there are only calls of the template', () => {
    fc.assert(
      fc.property(markdown, markdown => {
        const code = written(markdown).replaceAll(LITERAL, '')
        expect(code).toMatch(/^[\s\w#:.,;(){}[\]-]*$/)
        for (const word of code.match(/[a-z][\w-]*/gi) ?? []) expect(WORDS).toContain(word)
      }),
      { numRuns: 500 },
    )
  })

  it('keeps every word, marked up or not', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z0-9ء-ي]{1,12}$/), { minLength: 1 }), words => {
        // A telephone number, which `0 0 0` could be, is isolated from what stands beside it.
        const shown = (source: string) => text(source).replaceAll(/[\u2066\u2069]/g, '')
        for (const [before, after] of [
          ...['', '# ', '> ', '- ', '1. '].map(mark => [mark, '']),
          ['**', '**'],
          ['`', '`'],
        ])
          expect(shown(`${before}${words.join(' ')}${after}`)).toContain(words.join(' '))
      }),
      { examples: [[['0', '0', '0', 'ء']]] },
    )
  })

  it('shows what would be code as it stands', () => {
    for (const source of [
      '#read("/etc/passwd")',
      '#{ panic() }',
      '$x$',
      '@label',
      '/* comment */',
      '"; read("/etc"); "',
    ]) {
      expect(text(source)).toContain(source)
      expect(text(`\`${source}\``)).toContain(source)
      expect(text(`|${source}|b|\n|-|-|\n|c|d|`)).toContain(source)
    }
    expect(text('<script>alert(1)</script>\n\na <b>b</b>')).toContain('<script>alert(1)</script>a <b>b</b>')
  })

  it('becomes calls of the template', () => {
    for (const [markdown, typst] of [
      ['# Title', 'titled(1, ltr, "Title")'],
      ['Title\n---', 'titled(2, ltr, "Title")'],
      ['**a** *b* ~~c~~ `d`', 'strong("a");" ";emph("b");" ";strike("c");" ";inline-code("d")'],
      ['a\\\nb\nc', '"a";linebreak();"b";" ";"c"'],
      ['---', 'ruler'],
      ['> a', 'quoted(ltr, {paragraph(ltr, "a")'],
      ['```sh\na\n\nb\n```', 'code-block(true, "a\\n\\nb")'],
      ['- a\n- b', 'listed(ltr, true, bullet(1), {"a"\n[]},\nbullet(1), {"b"'],
      ['- a\n  - b', 'bullet(2), {"b"'],
      ['- a\n\n- b', 'listed(ltr, false, bullet(1), {line-of(ltr, "a")'],
      ['7. a\n8. b', 'listed(ltr, true, "7.", {"a"\n[]},\n"8.", {"b"'],
      ['1) a', '"1)", {"a"'],
      ['- [x] a\n- [ ] b', 'checkbox(true), {"a"\n[]},\ncheckbox(false), {"b"'],
      ['|a|b|c|\n|:-|:-:|-:|\n|1|2|', 'tabulated(ltr, (left,center,right,), "a",\n"b",\n"c",\n"1",\n"2",\n'],
      ['[a](https://x.y/z)', 'hyperlink("https://x.y/z","a")'],
      ['<mailto:a@b.c>', 'hyperlink("mailto:a@b.c",'],
      ['see https://x.y', 'hyperlink("https://x.y",'],
      ['a^[b]', 'note("1", ltr, {line-of(ltr, "b")'],
      ['نسبة 1.5 و 1,234.56.', 'paragraph(rtl, {"نسبة 1";point;"5 و 1,234";point;"56."})'],
      ['a rate of 1.5', 'paragraph(ltr, "a rate of 1.5")'],
      ['رؤية 2030[^1]\n\n[^1]: خطة', '"رؤية 2030";{"\u200f";note("1", rtl,'],
      ['هاتف 011-234-5678', '"هاتف \u2066011-234-5678\u2069"'],
    ] as const)
      expect(written(markdown)).toContain(typst)
  })

  it('keeps the label of a link that leads nowhere on the web, replaces images by their text, and reads nothing', () => {
    for (const address of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'data:text/html,x',
      '/etc/passwd',
      '#x',
      'ftp://x.y',
    ]) {
      expect(written(`[label](${address})`)).toContain('"label"')
      expect(written(`[label](${address})`)).not.toContain('hyperlink')
      expect(text(`[label](${address})`)).not.toContain(address)
      expect(written(`![the *text*](${address})`)).toMatch(/paragraph\(ltr, \{"the text";\[\]\}\)/)
    }
  })

  it('takes its title from the first heading, or else the one that it is given', () => {
    expect(written('text\n\n## The *first* `one`\n\n# Second')).toContain('with(\n  "The first one"')
    expect(written('no heading')).toContain('with(\n  none')
    expect(written('# a\u202efdp.exe')).toContain('with(\n  "afdp.exe"')
    expect(markdownToTypst('no heading', { fonts, title: 'تقرير' })).toContain('with(\n  "تقرير"')
    expect(markdownToTypst('# heading', { fonts, title: 'تقرير' })).toContain('with(\n  "heading"')
  })

  it('numbers footnotes as they are read, sets each once, and those of footnotes at the end', () => {
    const source = written('a[^x] b[^y] c[^x]\n\n[^y]: of y[^z]\n[^x]: of x\n[^z]: of z[^x]')
    expect(source).toContain('"a";note("1", ltr, {line-of(ltr, "of x")')
    expect(source).toMatch(/" b";note\("2", ltr, .*" c";super\("1"\)/s)
    expect(source).toMatch(/endnote\("3", ltr, .*"of z";super\("1"\)/s)
  })

  it('is flattened where it is nested beyond reason', () => {
    const source = written(Array.from({ length: 90 }, (_, depth) => `${'  '.repeat(depth)}- level${depth}x`).join('\n'))
    for (const depth of [0, 8, 20, 40]) expect(source).toContain(`"level${depth}x"`)
    expect(source.match(/listed\(/g)).toHaveLength(8)
  })

  it('sets a table that is too wide for a page row by row', () => {
    const row = (cell: string) => `|${`${cell}|`.repeat(30)}\n`
    expect(written(row('a') + row('-') + row('b'))).toContain(`paragraph(ltr, "${Array(30).fill('b').join(' | ')}")`)
  })
})

describe('Direction', () => {
  it('is that of most words, but for a text in quotation marks beside a longer one', () => {
    for (const [direction, texts] of [
      ['rtl', 'مرحبا|שלום|123 — (مرحبا) hello|Diwan هو برنامج|تثبيت Visual Studio Code Insiders|«مرحبا بكم»'],
      ['rtl', 'مرحبا is a word|«Welcome everybody» قال المدير'],
      ['ltr', 'hello|αβγ|٣. hello مرحبا|Docker للنشر|He said «مرحبا بكم في الشركة»'],
      [undefined, '123 😀|'],
    ] as const)
      for (const text of texts.split('|')) expect([text, directionOf(countWords(text))]).toEqual([text, direction])
  })

  it('is each block’s own', () => {
    const source = written('# عنوان\n\nEnglish text نص\n\nDiwan برنامج لإدارة المشاريع\n\n> اقتباس\n\n> quote')
    expect(source).toContain('titled(1, rtl,')
    expect(source).toContain('paragraph(ltr, {"English text ";')
    expect(source).toContain('paragraph(rtl, {in-font("Noto Sans", "Diwan");" برنامج لإدارة المشاريع"})')
    expect(source).toContain('quoted(rtl,')
    expect(source).toContain('quoted(ltr,')
  })

  it('is that of the prose and not of code or addresses, or what its first mark asks for', () => {
    for (const [markdown, direction] of [
      ['`npm run build` ثم شغّل', 'rtl'],
      ['`git commit --amend`', 'ltr'],
      ['\u200fhello there', 'rtl'],
      ['\u200eمرحبا بكم', 'ltr'],
      ['راجع https://example.com/a/very/long/address/of/a/page اليوم', 'rtl'],
      ['عنوان\n\n123', 'rtl, "123"'],
      ['title\n\n123', 'ltr, "123"'],
    ])
      expect(written(markdown as string)).toContain(`paragraph(${direction}`)
  })

  it('is that of the whole list or table for its markers and columns, and each text’s own inside', () => {
    expect(written('- [x] مهمة\n- task')).toMatch(/listed\(rtl, true, checkbox\(true\), \{"مهمة"/)
    expect(written('- مهمة\n- task')).toContain('{line-of(ltr, "task")')
    expect(written('|اسم|n|\n|-|-|\n|x|1|')).toContain('tabulated(rtl, (auto,auto,), "اسم",\nline-of(ltr, "n"),')
  })

  it('of lists and tables, where as many words run either way, is that of a document from right to left', () => {
    const list = '- Docker للنشر\n- Git للشيفرة'
    expect(written(`نص عربي\n\n${list}`)).toMatch(/listed\(rtl, true, bullet\(1\), \{\{in-font/)
    expect(written(list)).toContain('listed(ltr, true')
    const table = '|Name|الاسم|\n|-|-|\n|Pen قلم|1|'
    expect(written(`نص عربي\n\n${table}`)).toContain('tabulated(rtl,')
    expect(written(`English text\n\n${table}`)).toContain('tabulated(ltr,')
    expect(written(`نص عربي\n\n- Docker\n- Git\n- نشر`)).toContain('listed(ltr,')
  })

  it('of a list or a quote is not that of a quote in it', () => {
    expect(written('- Reply to this letter:\n\n  > نرجو منكم الرد على رسالتنا في أقرب وقت')).toContain('listed(ltr,')
    expect(written('> He wrote:\n>\n> > نرجو منكم الرد على رسالتنا في أقرب وقت')).toContain(
      'quoted(ltr, {paragraph(ltr,',
    )
    expect(written('- > نرجو منكم الرد')).toContain('listed(rtl,')
  })
})
