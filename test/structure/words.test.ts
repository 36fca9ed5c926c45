import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useFrameWords } from '../../console/src/frame/words.ts'
import { RECORDS } from '../../src/domain/records/records.ts'

const ROOT = join(import.meta.dirname, '../..')

interface Term {
  english: string
  arabic: string
  not: string[]
}

/** The rows of the tables in docs/words.md. */
const TERMS: Term[] = readFileSync(join(ROOT, 'docs/words.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('| ') && !line.startsWith('| English'))
  .map(line => {
    const [english = '', arabic = '', , not = ''] = line
      .slice(1, -1)
      .split('|')
      .map(cell => cell.trim())
    return { english, arabic, not: not.split(', ').filter(Boolean) }
  })

const isListed = (english: string, arabic: string) =>
  TERMS.some(term => term.english.toLowerCase() === english.toLowerCase() && term.arabic === arabic)

/** Everything that people read in Arabic is in these files, between the first letter and the last. */
function arabicTexts(): [file: string, text: string][] {
  const described = ['src/http/description/arabic', 'src/http/pages']
  const folders = ['src/domain/sentences', 'src/jobs/mail', 'src/domain/access', ...described, 'console/src']
  const files = folders.flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  )
  return files
    .filter(file => /\.tsx?$/.test(file))
    .flatMap(file =>
      (readFileSync(join(ROOT, file), 'utf8').match(/\p{Script=Arabic}.*/gu) ?? []).map((text): [string, string] => [
        file,
        text,
      ]),
    )
}

/** A word, and not the beginning or the end of another. */
const contains = (text: string, words: string) =>
  new RegExp(`(?<![\\p{L}\\p{M}])${words}(?![\\p{L}\\p{M}])`, 'u').test(text)

describe('The list of words', () => {
  it.each(Object.entries(RECORDS))('has the kind of record %s', (_, { words }) => {
    expect(isListed(words.en.one, words.ar.one)).toBe(true)
  })

  it.each(Object.keys(useFrameWords.en.views) as (keyof typeof useFrameWords.en.views)[])(
    'has the entry %s of the menu',
    view => {
      expect(isListed(useFrameWords.en.views[view], useFrameWords.ar.views[view])).toBe(true)
    },
  )

  it.each(Object.keys(useFrameWords.en.roles) as (keyof typeof useFrameWords.en.roles)[])('has the role %s', role => {
    expect(isListed(useFrameWords.en.roles[role], useFrameWords.ar.roles[role])).toBe(true)
  })

  it('gives a thing one word', () => {
    const english = TERMS.map(term => term.english.toLowerCase())
    const twice = english.filter((word, n) => english.indexOf(word) !== n)
    const differing = twice.filter(
      word => new Set(TERMS.filter(term => term.english.toLowerCase() === word).map(term => term.arabic)).size > 1,
    )
    expect(differing).toEqual([])
  })

  it('is kept to: nobody reads a word that it calls wrong', () => {
    const texts = arabicTexts()
    expect(texts.length).toBeGreaterThan(1_000)
    const wrong = TERMS.flatMap(({ not }) => not)
    expect(wrong.length).toBeGreaterThan(10)
    expect(
      wrong.flatMap(words =>
        texts.filter(([, text]) => contains(text, words)).map(([file, text]) => `${file}: ${words} in ${text}`),
      ),
    ).toEqual([])
  })

  it('asks nobody in the masculine: requests are verbal nouns', () => {
    const found = IMPERATIVES.flatMap(verb =>
      arabicTexts()
        .filter(([, text]) => contains(text, `[وف]?${verb}`))
        .map(([file, text]) => `${file}: ${verb} in ${text}`),
    )
    expect(found).toEqual([])
  })
})

/** The imperatives that come to mind first, as they are said to a man, and verbs that say what a man does. */
const IMPERATIVES =
  'أعد اختر احذف أرسل أغلق أدخل افتح انسخ انسخه اطلب اكتب اضغط أضف أنشئ حدِّد اترك اتركه انتظر راجع شغّل أصلح جدّد اضبط جرّب تأكد ابحث اقرأ اربط أخبر أعطِ ألغِ امنح استدعِ ستغادر تستطيع أدخله ضعه احفظه اسأل مرّر مرّره اتبع جرّبه الصقها أفلتها'.split(
    ' ',
  )
