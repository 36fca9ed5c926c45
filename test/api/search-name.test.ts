import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/postgres.ts'
import { describeEveryCharacter, disagreements, inSql, range } from '../rounds/search-names.ts'
import { openTestDatabase } from '../support/database.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const RUNS = 10

describeEveryCharacter(10, () => database)

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
      { numRuns: RUNS },
    )
  })
})

const SAME: [rule: string, ...spellings: string[]][] = [
  ['hamza on alef', 'أحمد', 'احمد', 'ٱحمد', 'إحمد', 'آحمد', 'ٲحمد', 'ٳحمد', 'ٵحمد'],
  ['hamza under alef', 'إدارة المشاريع', 'ادارة المشاريع', 'أدارة المشاريع'],
  ['madda', 'آمال', 'امال', 'أمال'],
  ['hamza inside a word', 'مسأله', 'مساله'],
  ['hamza written after its letter', 'أحمد', 'ا\u0654حمد', 'ا\u0655حمد', 'ا\u0653حمد'],
  ['hamza on waw', 'مؤتمر', 'موتمر', 'مو\u0654تمر'],
  ['hamza on yeh', 'رئيس', 'رييس', 'رىيس', 'ري\u0654يس'],
  ['teh marbuta', 'مدرسة', 'مدرسه', 'مدرسۃ', 'مدرسە'],
  ['teh marbuta before a word', 'خطة العمل', 'خطه العمل'],
  ['alef maksura', 'مستشفى', 'مستشفي', 'مستشفی'],
  ['alef maksura in a name', 'موسى', 'موسي'],
  ['Persian yeh', 'علی', 'علي', 'على', 'علے'],
  ['Urdu yeh barree with hamza', 'ۓ', 'ے', 'ي'],
  ['Persian kaf', 'کتاب', 'كتاب', 'ڪتاب'],
  ['Urdu heh', 'ہمدرد', 'ھمدرد', 'همدرد', 'ەمدرد'],
  ['heh with hamza', 'نامۀ', 'نامه', 'نامۂ', 'نامه\u0654'],
  ['Persian words', 'می\u200cخواهم', 'میخواهم', 'ميخواهم'],
  ['Arabic digits', 'خطة ٢٠٢٤', 'خطة 2024', 'خطة ۲۰۲۴'],
  ['all the digits', '٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹', '0123456789', '０１２３４５６７８９'],
  ['vowels', 'مُحَمَّدٌ', 'محمد'],
  ['vowels in a sentence', 'كِتَابُ الطَّالِبِ', 'كتاب الطالب'],
  ['superscript alef', 'هٰذا', 'هذا'],
  ['Quranic marks', 'ٱلرَّحْمَٰنِ ۖ ٱلرَّحِيمِ', 'الرحمن الرحيم'],
  ['tatweel', 'مـــحـــمـــد', 'محمد'],
  ['tatweel under a mark', 'مـَـلك', 'ملك'],
  ['presentation forms', '\ufee3\ufea4\ufee4\ufeaa', 'محمد'],
  ['marks as presentation forms', '\ufee3\ufe79\ufea4\ufe77\ufee4\ufe7d\ufe76\ufeaa', 'محمد'],
  ['lam-alef', '\ufefb', 'لا'],
  ['lam-alef with hamza', '\ufef7حمد', '\ufef9حمد', '\ufef5حمد', 'لأحمد', 'لاحمد'],
  ['honorific', 'محمد ﷺ', 'محمد صلى الله عليه وسلم'],
  ['the name of God', 'عبد ﷲ', 'عبد الله'],
  ['riyal', '١٠٠ ﷼', '100 ریال'],
  ['Arabic comma', 'تقرير، مسودة', 'تقرير مسودة', 'تقرير ، مسودة', 'تقرير,مسودة'],
  ['Arabic marks of punctuation', 'ما العمل؟', 'ما العمل', '؛ما۔العمل!'],
  ['Arabic percent and decimals', '١٢٫٥٪', '12.5%', '12 5'],
  ['thousands', '١٬٠٠٠', '1,000', '1000', '۱٬۰۰۰', '１，０００', '1،000'],
  ['millions', '2,500,000.75', '2500000 75', '٢٬٥٠٠٬٠٠٠٫٧٥'],
  [
    'hamza before waw',
    'مسؤول',
    'مسئول',
    'مسُئـول',
    'مسي\u0654ول',
    'مسي\u064f\u0654ول',
    '\ufee3\ufeb4\ufe8c\ufeee\ufedd',
    'مسوول',
  ],
  ['Arabic star', '٭ملاحظة٭', '*ملاحظة*', 'ملاحظه'],
  ['quotation marks', '«خطة»', '"خطة"', '“خطة”', 'خطة'],
  ['direction marks', '\u200fخطة\u200e', '\u2067خطة\u2069', '\u202bخطة\u202c', '\u061cخطة', 'خطة'],
  ['what has no width', 'خ\u200bط\u200dة', '\ufeffخطة', 'خط\u2060ة', 'خطة'],
  ['soft hyphen', 'Pro\u00adject', 'project'],
  ['variation selectors', '☎\ufe0f هاتف', 'هاتف', '✔︎ هاتف'],
  ['case', 'PROJECT Plan', 'project plan', 'Project PLAN'],
  ['accents', 'Résumé', 'resume', 'RÉSUMÉ', 're\u0301sume\u0301'],
  ['accents of Central Europe', 'Žluťoučký kůň', 'zlutoucky kun'],
  ['accents of Vietnam', 'Nguyễn Đường', 'nguyen duong'],
  ['transliteration', 'Qurʾān', 'Quran', 'Qurān'],
  ['ayn in Latin', 'ʿAlī', 'Ali'],
  ['sharp s', 'Straße', 'STRASSE', 'STRAẞE', 'strasse'],
  ['dotless i', 'Işık', 'ışık', 'isik', 'IŞIK', 'İŞİK'],
  ['Turkish capital', 'İstanbul', 'istanbul', 'ISTANBUL', 'ıstanbul'],
  ['ligatures of letters', 'Æsop', 'aesop', 'æsop', 'ǽsop'],
  ['French ligature', 'Œuvre', 'oeuvre', 'œuvre'],
  ['typographic ligature', 'ﬁle oﬃce', 'file office'],
  ['stroke of Denmark', 'Øresund', 'oresund', 'ǿresund'],
  ['stroke of Poland', 'Łódź', 'lodz', 'łódź'],
  ['stroke of Croatia', 'Đorđe', 'dorde'],
  ['stroke of Malta', 'Ħamrun', 'hamrun'],
  ['stroke of Lapland', 'Ŧuohta', 'tuohta'],
  ['thorn and eth', 'Þórður', 'thordur', 'þorður'],
  ['eng', 'Ŋamdi', 'ŋamdi'],
  ['schwa', 'Əli', 'əli'],
  ['Greek', 'ΑΘΉΝΑ', 'Αθήνα', 'αθηνα'],
  ['final sigma', 'ΟΔΥΣΣΕΥΣ', 'Οδυσσεύς', 'οδυσσευσ'],
  ['old Greek', 'ᾠδή', 'ωδη', 'ὨΔΗ'],
  ['Cyrillic', 'МОСКВА', 'Москва', 'москва'],
  ['yo', 'Ещё', 'еще', 'ЕЩЕ'],
  ['Ukrainian', 'Їжак Ґанок', 'їжак ґанок', 'ЇЖАК ҐАНОК'],
  ['Kazakh', 'ҚАЗАҚ ТІЛІ', 'қазақ тілі'],
  ['Armenian', 'ՀԱՅԱՍՏԱՆ', 'Հայաստան', 'հայաստան'],
  ['Georgian', 'ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ', 'საქართველო'],
  ['Hebrew points', 'שָׁלוֹם', 'שלום'],
  ['full width', 'ＰＬＡＮ　Ａ', 'plan a'],
  ['half width', 'ｶﾞｲﾄﾞ', 'ガイド'],
  ['superscripts', 'm² x₁', 'm2 x1'],
  ['number forms', 'Ⅳ ½', 'iv 1 2'],
  ['signs that are letters', '№ 5 ™', 'no 5 tm'],
  ['currency', '€100', '$100', '£ 100', '100'],
  ['white space', ' a \t b\n\u00a0c\u3000d\u2028e ', 'a b c d e'],
  ['hyphens', 'e-mail', 'e mail', 'e – mail', 'e_mail', 'e‑mail'],
  ['names of files', 'Report_Q3-2024.final.PDF', 'report q3 2024 final pdf'],
  ['apostrophes', "l'été", 'l’ete', 'l ete', 'lʼété'],
  ['possessives', "Ali's", 'Ali’s', 'ali s'],
  ['symbols', 'a → b', 'a=b', 'a ★ b', 'a│b', 'a b'],
  ['brackets of the Quran', '﴿سورة﴾', 'سوره'],
  ['punctuation of China', '計画、案。「一」', '計画 案 一'],
  ['nothing to find', '', ' ', '!؟…', 'ــ', '\u064b', '\u200f', '→'],
]

const DIFFERENT: [string, string][] = [
  ['كتب', 'كتاب'],
  ['علي', 'علا'],
  ['سعيد', 'صعيد'],
  ['دار', 'ذار'],
  ['حمد', 'أحمد'],
  ['محمد', 'محمود'],
  ['ماء', 'ما'],
  ['سماء', 'سما'],
  ['شيء', 'شي'],
  ['قرأ', 'قرء'],
  ['ضل', 'ظل'],
  ['تين', 'طين'],
  ['كلب', 'قلب'],
  ['حرب', 'خرب'],
  ['عين', 'غين'],
  ['سن', 'شن'],
  ['بيت', 'بنت'],
  ['مدرسة', 'مدرس'],
  ['مدرسة', 'مدرست'],
  ['پارس', 'بارس'],
  ['گل', 'كل'],
  ['چای', 'جای'],
  ['ژاله', 'زاله'],
  ['ٹوپی', 'توپی'],
  ['١٢', '21'],
  ['١٢٫٥', '125'],
  ['1,000', '1 000'],
  ['1.000', '1000'],
  ['1,00', '100'],
  ['1,0000', '10000'],
  ['2024,100', '2024100'],
  ['1, 000', '1000'],
  ['بئر', 'بؤر'],
  ['عيون', 'عئون'],
  ['بيت لحم', 'بيتلحم'],
  ['في\u200cما', 'في ما'],
  ['e-mail', 'email'],
  ["l'été", 'lete'],
  ['Müller', 'Mueller'],
  ['file', 'fille'],
  ['ŋ', 'n'],
  ['ə', 'e'],
  ['Афина', 'Αφινα'],
  ['A', 'А'],
  ['план', 'плам'],
  ['か', 'が'],
  ['क', 'क़'],
  ['佐々木', '佐木'],
  ['🔥', '🎉'],
  ['🔥', ''],
]

describe('A name as it is searched for', () => {
  it.each(SAME)('%s: is the same however it is spelled', async (_, ...spellings) => {
    const found = await inSql(database, spellings)
    expect(found.map(({ once }) => once)).toEqual(spellings.map(() => found[0]?.once))
  })

  it.each(DIFFERENT)('%s is not %s', async (one, other) => {
    const [first, second] = await inSql(database, [one, other])
    expect(first?.once).not.toBe(second?.once)
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
