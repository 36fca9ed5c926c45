import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'

/** Each of the two, as a query, finds the other. */
const FIND_EACH_OTHER: [string, string][] = [
  // The article.
  ['المكتب', 'مكتب'],
  ['المشروع', 'مشروع'],
  ['المدير العام', 'مدير عام'],
  ['الميزانية', 'ميزانيه'],
  ['التقرير السنوي', 'تقرير سنوي'],
  ['إدارة المشاريع', 'ادارة مشاريع'],
  ['الموارد البشرية', 'موارد بشرية'],
  ['الأمانة العامة', 'أمانة عامة'],
  ['الإدارة القانونية', 'إدارة قانونية'],
  ['قسم المحاسبة', 'محاسبة قسم'],
  ['وزارة الصحة', 'وزارة صحة'],
  ['الآثار', 'آثار'],
  ['الحق', 'حق'],
  ['اليد', 'يد'],
  ['نظام الـERP', 'نظام ERP'],
  ['رؤية الـ2030', 'رؤية 2030'],
  // The article with a prefix that is written together with it.
  ['والتطوير', 'تطوير'],
  ['البحث والتطوير', 'بحث وتطوير'],
  ['الصيانة والتشغيل', 'صيانة التشغيل'],
  ['والموظفين', 'الموظفين'],
  ['والعقود', 'وعقود'],
  ['بالرياض', 'الرياض'],
  ['فرع بالقاهرة', 'فرع القاهرة'],
  ['بالجودة', 'جودة'],
  ['كالمعتاد', 'معتاد'],
  ['كالسابق', 'السابق'],
  ['فالعقد', 'عقد'],
  ['فالاجتماع', 'والاجتماع'],
  ['للمشتريات', 'المشتريات'],
  ['للمبيعات', 'مبيعات'],
  ['خطة للتوظيف', 'خطة التوظيف'],
  ['للتدريب', 'بالتدريب'],
  ['والله', 'الله'],
  // "And".
  ['ومحمد', 'محمد'],
  ['خالد وأحمد', 'خالد أحمد'],
  ['وسارة', 'سارة'],
  ['تصميم وتنفيذ', 'تصميم تنفيذ'],
  ['وقطر', 'قطر'],
  ['وإلى', 'إلى'],
  // Hamza before waw.
  ['مسؤول', 'مسئول'],
  ['شؤون', 'شئون'],
  ['المسؤولية', 'المسئولية'],
  ['شؤون الموظفين', 'شئون الموظفين'],
  ['الشؤون الإدارية', 'شئون إدارية'],
  ['مسؤولون', 'مسئولون'],
  ['رؤوس الأموال', 'رئوس الاموال'],
  ['مؤونة', 'مئونة'],
  ['كؤوس', 'كئوس'],
  ['شُؤُون', 'شُئُون'],
  ['مسـئـول', 'مسي\u0654ول'],
  ['مسؤول المبيعات', 'مسوول المبيعات'],
  // Names with عبد.
  ['عبدالله', 'عبد الله'],
  ['عبدالرحمن', 'عبد الرحمن'],
  ['عبدالعزيز', 'عبد العزيز'],
  ['عبدالإله', 'عبد الاله'],
  ['عبدربه', 'عبد ربه'],
  ['عبدمناف', 'عبد مناف'],
  ['عبد ﷲ', 'عبدالله'],
  ['محمد عبدالله القحطاني', 'محمد عبد الله القحطاني'],
  ['مدرسة الملك عبدالعزيز', 'مدرسة الملك عبد العزيز'],
  ['العبدالله', 'عبد الله'],
  ['وعبدالرحمن', 'عبد الرحمن'],
  ['وعبد الرحمن', 'عبدالرحمن'],
  ['سعود وعبداللطيف', 'سعود عبد اللطيف'],
  // Numbers.
  ['1000', '١٬٠٠٠'],
  ['1000', '1,000'],
  ['1,000', '۱٬۰۰۰'],
  ['٢٥٠٠٠٠٠', '2,500,000'],
  ['ميزانية 1,250,000 ريال', 'ميزانية ١٢٥٠٠٠٠ ريال'],
  ['١٢،٥٠٠', '12500'],
  ['１，０００', '1000'],
  ['$1,000.50', '1000 50'],
]

/** The first, as a query, does not find the second. */
const DOES_NOT_FIND: [string, string][] = [
  // Too few letters would be left without the prefix.
  ['الم', 'ملف م'],
  ['ألف', 'ف'],
  ['لله', 'ه'],
  ['ولد', 'مدينة لد'],
  ['ورد', 'رد العميل'],
  ['وعد', 'عد الأصوات'],
  ['وقت', 'قت'],
  ['وفد', 'فد'],
  ['والد', 'د'],
  ['والي', 'ي'],
  ['بالغ', 'غ'],
  ['فالح', 'ح'],
  // What is left without the prefix must match a whole word.
  ['والد', 'الدمام'],
  ['والدة', 'دهان'],
  ['وليد', 'جليد'],
  ['وليد', 'ليدز'],
  ['وكيل', 'كيلو'],
  ['وزير', 'خنزيرة'],
  ['ورقة', 'فرقة'],
  ['بالون', 'قانون'],
  ['بالون', 'تلفون'],
  ['إلهام', 'مهام'],
  ['الدار', 'إدارة'],
  ['الماس', 'خماسي'],
  ['المال', 'جدول أعمال'],
  ['النظام', 'انتظام'],
  ['العقد', 'معقد'],
  ['الحي', 'تحية'],
  ['السوق', 'تسوق'],
  ['البيت', 'بيتزا'],
  ['العمل', 'معمل'],
  ['الحل', 'مرحلة'],
  ['الخط', 'خطة'],
  ['للبيع', 'مبيعات'],
  // The word for God does not begin with an article.
  ['الله', 'له'],
  ['والله', 'له'],
  ['بالله', 'له'],
  // Every word must be found.
  ['المكتب الجديد', 'مكتب قديم'],
  ['خالد وأحمد', 'خالد محمود'],
  // Names with عبد.
  ['عبدالله', 'عبد الرحمن'],
  ['عبدالله', 'عبد اللطيف'],
  ['عبدالله', 'عبيد الله'],
  ['عبدالله', 'نصر الله'],
  ['عبدالله', 'عبد الكريم نصر الله'],
  ['عبدالرحمن', 'الرحمن عبد'],
  ['عبدالعزيز', 'عبد الله العزيز'],
  ['عبدالنور', 'معبد النور'],
  ['عبده', 'عبد هادي'],
  ['عبد الله', 'عبدالرحمن'],
  ['العبد', 'عبدالرحمن'],
  // Hamza elsewhere.
  ['زيوت', 'زؤوت'],
  ['عيون', 'عئون'],
  ['مسؤول', 'مسيل'],
  ['ماء', 'ما العمل'],
  ['سماء', 'سما'],
  ['بناء', 'بنا'],
  ['شيء', 'شي'],
  // Numbers.
  ['1000', '1.000'],
  ['1000', '1 000'],
  ['12', '1,2'],
  ['123', '1,2,3'],
  ['1234', '12,34'],
  ['125', '١٢٫٥'],
  ['10000', '1,000'],
]

const app = useApp()

describe('Spellings', () => {
  let company: TestCompany
  beforeAll(async () => {
    company = await app.diwan.company()
    const list = await newList(company, (await app.diwan.project(company)).id)
    const names = new Set([...FIND_EACH_OTHER.flat(), ...DOES_NOT_FIND.map(([, name]) => name)])
    for (const title of names) await newTask(company, list.id, { title })
  })

  async function found(q: string): Promise<string[]> {
    const { body } = await company.api.get(`/search?types=task&per_type=25&q=${encodeURIComponent(q)}`)
    expect(body.data.truncated).toEqual([])
    return body.data.results.map(({ title }: { title: string }) => title)
  }

  it('are at least sixty that must find each other, and sixty that must not', () => {
    expect([FIND_EACH_OTHER.length >= 60, DOES_NOT_FIND.length >= 60]).toEqual([true, true])
  })

  it.each(FIND_EACH_OTHER)('%s and %s find each other', async (one, other) => {
    expect(await found(one)).toContain(other)
    expect(await found(other)).toContain(one)
  })

  it.each(DOES_NOT_FIND)('%s does not find %s', async (query, name) => {
    expect(await found(query)).not.toContain(name)
  })
})

describe('Other spellings', () => {
  async function companyWith(titles: string[]) {
    const company = await app.diwan.company()
    const list = await newList(company, (await app.diwan.project(company)).id)
    for (const title of titles) await newTask(company, list.id, { title })
    return async (q: string, per_type = 25) => {
      const { body } = await company.api.get(`/search?types=task&per_type=${per_type}&q=${encodeURIComponent(q)}`)
      return [...body.data.results.map(({ title }: { title: string }) => title), ...body.data.truncated]
    }
  }

  it('come after the beginnings of words and before what is inside one, other forms of the word last', async () => {
    const search = await companyWith(['مكتبة', 'نقل المكتب', 'قالمكتبق', 'انتقال والمكتب', 'مكتب', 'المكتبي'])
    const wanted = ['نقل المكتب', 'المكتبي', 'انتقال والمكتب', 'مكتب', 'قالمكتبق', 'مكتبة']
    expect(await search('المكتب')).toEqual(wanted)
    expect(await search('المكتب', 3)).toEqual([...wanted.slice(0, 3), 'task'])
    expect(await search('والمكتب', 1)).toEqual(['انتقال والمكتب', 'task'])
  })

  it('are not looked for when nothing is missing, and misspellings only when nothing else is found', async () => {
    const search = await companyWith(['مراجعة', 'مراجعه العقد', 'مواجهة'])
    expect(await search('مراجعة', 1)).toEqual(['مراجعة', 'task'])
    expect(await search('مراجهة')).toEqual(['مواجهة', 'مراجعه العقد', 'مراجعة'])
    expect(await search('مواجهة')).toEqual(['مواجهة'])
  })

  it('may be of each word in a query', async () => {
    const titles = ['خطة تدريب موظفين', 'خطة التدريب للموظفين', 'تدريب', 'موظفين', 'الموظفين وتدريب']
    const search = await companyWith(titles)
    expect(await search('التدريب والموظفين')).toEqual(['الموظفين وتدريب', 'خطة التدريب للموظفين', 'خطة تدريب موظفين'])
    expect(await search('خطة التدريب الموظفين')).toEqual(['خطة التدريب للموظفين', 'خطة تدريب موظفين'])
  })

  it('are not looked for in a query of very many words', async () => {
    const words = 'هذا اسم طويل جدا فيه كلمات كثيرة لا يبحث عنها احد'
    const search = await companyWith([`${words} مكتب`, `${words} مكتب جديد`])
    expect(await search(`${words} المكتب`)).toHaveLength(2)
    expect(await search(`${words} المكتب الجديد`)).toEqual([])
  })
})
