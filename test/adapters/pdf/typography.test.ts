import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTypstRenderer } from '../../../src/adapters/pdf/renderer.ts'
import type { PdfRenderer } from '../../../src/domain/ports/pdf-renderer.ts'

const hasPoppler = spawnSync('pdftotext', ['-v']).error === undefined
const hasStrace = spawnSync('strace', ['-D', '-o', '/dev/null', 'true']).status === 0

let renderer: PdfRenderer
let folder: string
beforeAll(() => {
  // A busy machine takes longer than anybody would wait.
  renderer = createTypstRenderer({ seconds: 100, waitMs: 100_000 })
  folder = mkdtempSync(join(tmpdir(), 'diwan-typography-'))
})
afterAll(async () => {
  await renderer.close()
  rmSync(folder, { recursive: true })
})

const render = (markdown: string, title = '') => renderer.render({ markdown, title, companyId: 1 })
const CONTROLS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const poppler = (program: string, pdf: Buffer, ...options: string[]) => {
  const path = join(folder, 'document.pdf')
  writeFileSync(path, pdf)
  return execFileSync(program, [...options, path, ...(program === 'pdftotext' ? ['-'] : [])], { encoding: 'utf8' })
}
/** Where the direction changes, pdftotext writes a control and at times no space. */
const textOf = (pdf: Buffer) => poppler('pdftotext', pdf).replaceAll(CONTROLS, ' ')
const fontsOf = (pdf: Buffer) =>
  poppler('pdffonts', pdf)
    .trim()
    .split('\n')
    .slice(2)
    .map(line => /\+([A-Za-z0-9]+)/.exec(line)?.[1])
/** Each piece of text with the place of its left edge, also what is not on the page, and the width of the page. */
function placesOf(pdf: Buffer) {
  const xml = poppler('pdftohtml', pdf, '-xml', '-i', '-stdout')
  const width = Number(/<page [^>]*width="(\d+)"/.exec(xml)?.[1])
  const texts = [...xml.matchAll(/<text [^>]*left="(-?\d+)"[^>]*>(.*?)<\/text>/g)].map(([, left, text]) => ({
    left: Number(left),
    text: String(text).replaceAll(/<[^>]*>/g, ''),
  }))
  return { width, texts }
}

describe.skipIf(!hasPoppler)('What a PDF says to those who search and copy', () => {
  it('is on its pages: no word stands outside of them', async () => {
    const { width, texts } = placesOf(await render('# مُحَمَّد\n\nكُتب **بُشرى** *سُرور* كتب بشرى سرور'))
    expect(texts.length).toBeGreaterThan(1)
    for (const { left } of texts) {
      expect(left).toBeGreaterThanOrEqual(0)
      expect(left).toBeLessThan(width)
    }
  })

  // One by one: pdftotext reads all of a page in the direction of most of it.
  it.each([
    'تقرير عن مشروع Diwan',
    'Diwan هو برنامج لإدارة المشاريع تستخدمه شركة Acme منذ عام 2024 في بلدان كثيرة',
    'The word مرحبا appears in an English sentence',
    'قالت سارة إن الهاتف +966 50 123 4567 صحيح',
    '你好世界 日本語テスト 한국어 문서',
    'Emoji 😀 🚀 and → ≥ ✓',
  ])('is each word once, in the order of reading: %s', async line => {
    const read = textOf(await render(line))
    expect(read.split(/\s+/).filter(word => word !== '')).toEqual([...line.split(' '), '1'])
  })

  it('are the letters of words with vowel marks, in every face', async () => {
    const read = textOf(await render('مُحَمَّد كُتب\n\n**بُشرى مُحَمَّد**\n\n*سُرور كُتب*\n\n***دُرَر***')).replaceAll(/\p{M}/gu, '')
    const letters = (text: string) => text.replaceAll(/[^\p{L}]/gu, '')
    expect(letters(read)).toBe(letters('محمد كتب بشرى محمد سرور كتب درر'))
  })

  it('has no place for controls that override the direction of text', async () => {
    const pdf = await render('# Invoice \u202efdp.exe\n\nplain \u202dtext\u202c')
    expect(poppler('pdfinfo', pdf)).toMatch(/Title: +Invoice fdp\.exe\n/)
    expect(textOf(pdf)).toContain('Invoice fdp.exe\n')
  })
})

describe.skipIf(!hasPoppler)('The title of a PDF', () => {
  it.each([
    ['text', 'خطة 2026', 'خطة 2026'],
    ['# Heading\n\ntext', 'name', 'Heading'],
    ['# \n\ntext', 'name', 'name'],
  ])('of %j with the name %s is %s', async (markdown, name, title) => {
    expect(poppler('pdfinfo', await render(markdown, name))).toMatch(new RegExp(`Title: +${title}\n`))
  })
})

describe.skipIf(!hasPoppler)('A paragraph', () => {
  it.each([
    ['Diwan هو برنامج لإدارة المشاريع', 'right'],
    ['تثبيت Visual Studio Code Insiders', 'right'],
    ['Visual Studio Code على الحاسوب', 'left'],
  ])('%s stands on the %s', async (markdown, side) => {
    const { width, texts } = placesOf(await render(markdown))
    expect((texts[0]?.left as number) > width / 3).toBe(side === 'right')
  })
})

describe('The fonts of a PDF', () => {
  it.skipIf(!hasPoppler)('have emoji, symbols, Chinese, Japanese and Korean', async () => {
    const pdf = await render('😀 ⠁ → 你好 テスト 한국어 مرحبا `code`')
    expect(fontsOf(pdf).sort()).toEqual([
      'Amiri',
      'ChocolateClassicalSans',
      'NanumGothicCoding',
      'NotoEmoji',
      'NotoSans',
      'NotoSansMath',
      'NotoSansMono',
      'NotoSansSymbols2',
    ])
    expect(textOf(pdf)).toContain('😀 ⠁ → 你好 テスト 한국어')
  })

  it.skipIf(!hasPoppler)('are no others: what they do not have is replaced, whoever else has it', async () => {
    // Typst itself carries fonts with Hebrew; most machines have one with Georgian.
    const pdf = await render('Hebrew שלום, Georgian გამარჯობა, Thai ไทย')
    expect(textOf(pdf)).toContain('Hebrew ����, Georgian ���������, Thai ���')
    expect(fontsOf(pdf)).toEqual(['NotoSans'])
  })

  it.skipIf(!hasStrace)('are read from our packages, and none from the machine', () => {
    const trace = join(folder, 'trace')
    const source = new URL('../../../src/adapters/pdf/renderer.ts', import.meta.url).href
    const script = `
      const { createTypstRenderer } = await import('${source}')
      const renderer = createTypstRenderer({ seconds: 100, waitMs: 100_000 })
      await renderer.render({ markdown: 'გამარჯობა', title: '', companyId: 1 })
      await renderer.close()`
    const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script]
    execFileSync('strace', ['-f', '--seccomp-bpf', '-e', 'trace=open,openat', '-o', trace, ...node])
    const opened = readFileSync(trace, 'utf8')
      .split('\n')
      .filter(line => /fonts|\.(?:ttf|otf|ttc)"/.test(line))
    const foreign = opened.filter(line => !/node_modules|diwan-pdf-|adapters\/pdf\/fonts/.test(line))
    expect(opened.length).toBeGreaterThan(10)
    expect(foreign).toEqual([])
  })
})
