import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { newList } from '../support/factories.ts'

const app = useApp()

/** A search for tasks in a company that has these names, among so many others that its indexes are used. */
async function companyWith(names: string[], others = 60) {
  const company = await app.diwan.company()
  const list = await newList(company, (await app.diwan.project(company)).id)
  const nothing = Array.from({ length: others }, (_, n) => `Nothing ${n}`)
  const tasks = [...new Set([...names, ...nothing])].map(title => ({ title }))
  for (let n = 0; n < tasks.length; n += 50)
    expect(await company.api.post(`/lists/${list.id}/tasks/batch`, { tasks: tasks.slice(n, n + 50) })).toMatchObject({
      status: 201,
    })
  return async (q: string, per_type = 25): Promise<string[]> => {
    const { body } = await company.api.get(`/search?types=task&per_type=${per_type}&q=${encodeURIComponent(q)}`)
    return [...body.data.results.map(({ title }: { title: string }) => title), ...body.data.truncated]
  }
}

type Pair = [query: string, name: string]

/** Each of the two, as a query, finds the other. */
const BOTH_WAYS: Pair[] = [
  ['المكتب', 'مكتب'],
  ['المدير العام', 'مدير عام'],
  ['الحق', 'حق'],
  ['نظام الـERP', 'نظام ERP'],
  ['البحث والتطوير', 'بحث وتطوير'],
  ['بالجودة', 'جودة'],
  ['كالسابق', 'السابق'],
  ['فالاجتماع', 'والاجتماع'],
  ['للمبيعات', 'مبيعات'],
  ['والله', 'الله'],
  ['خالد وأحمد', 'خالد أحمد'],
  ['وقطر', 'قطر'],
  ['مسؤول المبيعات', 'مسئول المبيعات'],
  ['عبدربه', 'عبد ربه'],
  ['عبد ﷲ', 'عبدالله'],
  ['العبدالله', 'عبد الله'],
  ['وعبد الرحمن', 'عبدالرحمن'],
  ['ميزانية 1,250,000 ريال', 'ميزانية ١٢٥٠٠٠٠ ريال'],
]

/** What people type, and a name that they mean by it. Each class is searched in a company that has only its names. */
const MEANT: Record<string, Pair[]> = {
  prefixes: [
    ['وللمكتب', 'مكتب الرياض'],
    ['وبالمناقصة', 'المناقصة الحكومية'],
    ['بمستودع', 'مستودع جدة'],
    ['سيناقش', 'يناقش المجلس'],
    ['ولمؤتمر', 'مؤتمر الطاقة'],
    ['للجنة', 'لجنة التحكيم'],
    ['بالبوابة', 'للبوابة الإلكترونية'],
  ],
  suffixes: [
    ['المهندسون', 'مهندس الموقع'],
    ['مراجعة', 'مراجعات ربعية'],
    ['شاحنتين', 'شاحنة تبريد'],
    ['سيارتنا', 'سيارات الشركة'],
    ['اجتماعات', 'اجتماعهم الأول'],
    ['قانونية', 'القانون التجاري'],
    ['إعلانين', 'إعلاناتنا'],
    ['بحساباتهم', 'حساب جاري'],
    ['مبانيكم', 'مباني الجامعة'],
  ],
  plurals: [
    ['مشروع', 'مشاريع السنة'],
    ['الفواتير', 'فاتورة الماء'],
    ['خطة', 'خطط الطوارئ'],
    ['عملاء', 'عميل مميز'],
    ['شركاء', 'الشريك التقني'],
    ['وللمشاريع', 'مشروعنا الأول'],
    ['بعقودهم', 'عقد العمل'],
    ['بئر', 'حفر البؤر'],
  ],
  'joined and split words': [
    ['نورالدين', 'نور الدين الخطيب'],
    ['سيف الإسلام', 'سيفالإسلام'],
    ['أبو ظبي', 'فرع أبوظبي'],
    ['أبوبكر', 'أبو بكر الصديق'],
    ['PO-4512', 'PO4512'],
    ['PO4512', 'PO 4512'],
    ['٠٥٠١٢٣٤٥٦٧', 'جوال 050-123-4567'],
    ['email', 'e-mail templates'],
  ],
  hamzas: [
    ['مسائلة', 'مساءلة الموردين'],
    ['هيأة', 'هيئة السوق'],
    ['كفائة', 'كفاءة الطاقة'],
    ['مكافئة', 'مكافأة نهاية الخدمة'],
  ],
  'stop words': [
    ['تقرير عن المبيعات', 'تقرير المبيعات'],
    ['الصيانة في المصنع', 'صيانة المصنع'],
  ],
  'one edit': [
    ['مستوصع', 'مستودع جدة'],
    ['ميزنية', 'ميزانية التسويق'],
    ['الميزاانية', 'الميزانية العامة'],
    ['اتجماع', 'اجتماع الاثنين'],
    ['contarct', 'Contract renewal'],
    ['qaurterly report', 'Quarterly report'],
    ['النضام', 'نظام الحضور'],
    ['ظمان', 'ضمان بنكي'],
  ],
  'marks of direction': [
    ['\u200fعقد', 'عقد التوريد'],
    ['\u202bفاتورة\u202c', 'الفواتير'],
  ],
}

/** Similar to look at, but nobody means the name by the query. */
const NOT_MEANT: Pair[] = [
  // Too few letters would be left without the prefix, or it is none.
  ['الم', 'ملف م'],
  ['ولد', 'مدينة لد'],
  ['بالغ', 'غ'],
  ['وحدة', 'حدة الخلاف'],
  ['سلام', 'لام'],
  ['إلهام', 'هام جدا'],
  ['ألوان', 'وان'],
  ['والله', 'له'],
  // What is left must match a whole word.
  ['والد', 'الدمام'],
  ['وكيل', 'كيلو'],
  ['العقد', 'معقد'],
  ['الخط', 'خطة'],
  // Every word must be found.
  ['المكتب الجديد', 'مكتب قديم'],
  ['عبدالله', 'عبد اللطيف'],
  ['عبدالله', 'عبد الكريم نصر الله'],
  ['عبدالنور', 'معبد النور'],
  ['عبده', 'عبد هادي'],
  // Another letter is another word, where words are short or the letter is the first.
  ['قلب', 'كلب'],
  ['صورة', 'سورة'],
  ['ماء', 'ما العمل'],
  ['عيون', 'عئون'],
  ['plan', 'plain'],
  ['form', 'from'],
  // Numbers have no misspellings.
  ['12345', '12346'],
  ['PO4512', 'PO4513'],
  ['1000', '1 000'],
  ['125', '١٢٫٥'],
]

describe('A search', () => {
  it('finds a name by another spelling, and the other way round', async () => {
    const search = await companyWith(BOTH_WAYS.flat())
    for (const [one, other] of BOTH_WAYS) {
      expect([one, await search(one)]).toEqual([one, expect.arrayContaining([other])])
      expect([other, await search(other)]).toEqual([other, expect.arrayContaining([one])])
    }
  })

  it.each(Object.entries(MEANT))('finds what people mean by other %s', async (_, pairs) => {
    const search = await companyWith(pairs.map(([, name]) => name))
    for (const [query, name] of pairs)
      expect([query, await search(query)]).toEqual([query, expect.arrayContaining([name])])
  })

  it('does not find what nobody means', async () => {
    const search = await companyWith(NOT_MEANT.map(([, name]) => name))
    for (const [query, name] of NOT_MEANT)
      expect([query, await search(query)]).not.toEqual([query, expect.arrayContaining([name])])
  })

  it('has other spellings after the beginnings of words and before what is inside one, other forms of the word last', async () => {
    const search = await companyWith(['مكتبة', 'نقل المكتب', 'قالمكتبق', 'انتقال والمكتب', 'مكتب', 'المكتبي'], 0)
    const wanted = ['نقل المكتب', 'المكتبي', 'انتقال والمكتب', 'مكتب', 'قالمكتبق', 'مكتبة']
    expect(await search('المكتب')).toEqual(wanted)
    expect(await search('المكتب', 3)).toEqual([...wanted.slice(0, 3), 'task'])
    expect(await search('والمكتب', 1)).toEqual(['انتقال والمكتب', 'task'])
  })

  it('looks for other forms only when something is missing, and for misspellings only when nothing is found', async () => {
    const search = await companyWith(['مراجعة', 'مراجعه العقد', 'مواجهة'], 0)
    expect(await search('مراجعة', 1)).toEqual(['مراجعة', 'task'])
    expect(await search('مراجهة')).toEqual(['مواجهة', 'مراجعه العقد', 'مراجعة'])
    expect(await search('مواجهة')).toEqual(['مواجهة'])
  })

  it('takes other spellings of each word, unless there are very many words', async () => {
    const words = 'هذا اسم طويل جدا فيه كلمات كثيرة لا يبحث عنها احد'
    const names = ['خطة تدريب موظفين', 'خطة التدريب للموظفين', 'الموظفين وتدريب', `${words} مكتب`, `${words} مكتب جديد`]
    const search = await companyWith(names, 0)
    expect(await search('خطة التدريب الموظفين')).toEqual(['خطة التدريب للموظفين', 'خطة تدريب موظفين'])
    expect(await search('التدريب والموظفين')).toHaveLength(3)
    expect(await search(`${words} المكتب`)).toHaveLength(2)
    expect(await search(`${words} المكتب الجديد`)).toEqual([])
  })
})
