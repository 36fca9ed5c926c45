import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/postgres.ts'
import { searchName } from '../../src/lib/search-name.ts'
import { describeEveryCharacter, disagreements, inSql, range } from '../rounds/search-names.ts'
import { openTestDatabase } from '../support/database.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

describeEveryCharacter(40, () => database)

describe('The function and its twin agree, and a second time changes nothing', () => {
  it('on any words, marks and spaces', async () => {
    const from = (...ranges: [number, number][]) =>
      fc.constantFrom(...ranges.flatMap(([first, last]) => range(first, last)).map(code => String.fromCodePoint(code)))
    const arabic = from([0x600, 0x6ff], [0x750, 0x77f], [0x8a0, 0x8ff], [0xfb50, 0xfdff], [0xfe70, 0xfeff])
    const european = from([0x20, 0x24f], [0x300, 0x52f], [0x1e00, 0x20c0], [0x2100, 0x218b], [0xff00, 0xffef])
    const between = from([0x1, 0x2f], [0xa0, 0xbf], [0x2000, 0x206f], [0x3000, 0x3003])
    const name = fc
      .array(fc.oneof(from([0x621, 0x655]), arabic, european, between, from([0x20, 0x7e])), { maxLength: 40 })
      .map(characters => characters.join(''))
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 200, maxLength: 200 }), async names => {
        expect(await disagreements(database, names)).toEqual([])
      }),
      { numRuns: 2 },
    )
  })
})

/** Each is one name, however it is spelled. */
const SAME: string[][] = [
  ['أحمد', 'احمد', 'ٱحمد', 'إحمد', 'آحمد', 'ٲحمد', 'ٳحمد', 'ٵحمد'],
  ['رئيس', 'رييس', 'رىيس', 'ري\u0654يس'],
  ['مدرسة', 'مدرسه', 'مدرسۃ', 'مدرسە'],
  ['مستشفى', 'مستشفي', 'مستشفی'],
  ['کتاب', 'كتاب', 'ڪتاب'],
  ['می\u200cخواهم', 'میخواهم', 'ميخواهم'],
  ['٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹', '0123456789', '０１２３４５６７８９'],
  ['مُحَمَّدٌ', 'محمد'],
  ['مـَـلك', 'ملك'],
  ['\ufee3\ufea4\ufee4\ufeaa', 'محمد'],
  ['\ufef7حمد', '\ufef9حمد', '\ufef5حمد', 'لأحمد', 'لاحمد'],
  ['عبد ﷲ', 'عبد الله'],
  ['تقرير، مسودة', 'تقرير مسودة', 'تقرير ، مسودة', 'تقرير,مسودة'],
  ['١٢٫٥٪', '12.5%', '12 5'],
  ['١٬٠٠٠', '1,000', '1000', '۱٬۰۰۰', '１，０００', '1،000'],
  ['مسؤول', 'مسئول', 'مسُئـول', 'مسي\u0654ول', 'مسي\u064f\u0654ول', '\ufee3\ufeb4\ufe8c\ufeee\ufedd', 'مسوول'],
  ['\u200fخطة\u200e', '\u2067خطة\u2069', '\u202bخطة\u202c', '\u061cخطة', 'خطة'],
  ['خ\u200bط\u200dة', '\ufeffخطة', 'خط\u2060ة', 'خطة'],
  ['Résumé', 'resume', 'RÉSUMÉ', 're\u0301sume\u0301'],
  ['Straße', 'STRASSE', 'STRAẞE', 'strasse'],
  ['Işık', 'ışık', 'isik', 'IŞIK', 'İŞİK'],
  ['Æsop', 'aesop', 'æsop', 'ǽsop'],
  ['ΟΔΥΣΣΕΥΣ', 'Οδυσσεύς', 'οδυσσευσ'],
  ['ＰＬＡＮ　Ａ', 'plan a'],
  ['Ⅳ ½', 'iv 1 2'],
  [' a \t b\n\u00a0c\u3000d\u2028e ', 'a b c d e'],
  ['Report_Q3-2024.final.PDF', 'report q3 2024 final pdf'],
  ["l'été", 'l’ete', 'l ete', 'lʼété'],
  ['', ' ', '!؟…', 'ــ', '\u064b', '\u200f', '→'],
]

const DIFFERENT: [string, string][] = [
  ['كتب', 'كتاب'],
  ['ماء', 'ما'],
  ['گل', 'كل'],
  ['١٢٫٥', '125'],
  ['1,000', '1 000'],
  ['1.000', '1000'],
  ['1,00', '100'],
  ['1,0000', '10000'],
  ['2024,100', '2024100'],
  ['1, 000', '1000'],
  ['بئر', 'بؤر'],
  ['في\u200cما', 'في ما'],
  ['e-mail', 'email'],
  ["l'été", 'lete'],
  ['A', 'А'],
  ['🔥', ''],
]

describe('A name as it is searched for', () => {
  it('is the same however it is spelled, and not the same as another', async () => {
    expect(await disagreements(database, [...SAME, ...DIFFERENT].flat())).toEqual([])
    for (const spellings of SAME) expect([spellings, new Set(spellings.map(searchName)).size]).toEqual([spellings, 1])
    for (const [one, other] of DIFFERENT) expect([one, searchName(one)]).not.toEqual([one, searchName(other)])
  })

  it('is the plain spelling, and not only the same one', async () => {
    const plain = {
      'إدارة المُؤتمَر، ٢٠٢٤': 'اداره الموتمر 2024',
      '  L’Été_à – Łódź! ': 'l ete a lodz',
      ﷲ: 'الله',
      '🔥Sale': '🔥sale',
    }
    expect((await inSql(database, Object.keys(plain))).map(({ once }) => once)).toEqual(Object.values(plain))
  })

  it('is the same whatever the locale', async () => {
    const locales = await database.db.raw<{ name: string }>(
      `select collname as name from pg_collation where collname in ('C', 'POSIX', 'ucs_basic', 'tr-x-icu', 'lt-x-icu')`,
      [],
    )
    for (const { name } of locales) {
      const found = await database.db.raw(`select search_name($1 collate "${name}") as name`, ['IŞIK Ìİ ΣΑΣ ЩИ أ'])
      expect(found, name).toEqual([{ name: 'isik ii σασ щи ا' }])
    }
  })

  it('is nothing where there is no name', async () => {
    expect(await database.db.raw('select search_name(null) as name', [])).toEqual([{ name: null }])
  })

  it('is put in the place of its call, because a call costs more than most names', async () => {
    const plan = await database.db.raw<{ 'QUERY PLAN': string }>(
      'explain verbose select search_name(name) from projects',
      [],
    )
    expect(plan.map(row => row['QUERY PLAN']).join('\n')).not.toContain('search_name(')
  })
})
