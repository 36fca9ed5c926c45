import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { created, type TestCompany } from '../support/diwan.ts'
import { newDiscussion, newList, newTask } from '../support/factories.ts'
import { expectedHits } from '../support/search-model.ts'

const app = useApp()

async function search({ api }: Pick<TestCompany, 'api'>, query: Record<string, string | number | string[]>) {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat()) parameters.append(name, String(each))
  const { status, body } = await api.get(`/search?${parameters}`)
  expect(status).toBe(200)
  return body.data
}

const titles = (data: { results: { title?: string; name?: string }[] }) =>
  data.results.map(({ title, name }) => title ?? name)

/** One record of each kind, all with the same word in their names. */
async function furnish() {
  const company = await app.diwan.company()
  const project = await app.diwan.project(company, { name: 'Palm project' })
  const list = await newList(company, project.id, { title: 'Palm list' })
  const task = await newTask(company, list.id, { title: 'Palm task' })
  const folder = (await created(company.api.post(`/projects/${project.id}/folders`, { name: 'Palm folder' }))).data
  const content = { name: 'Palm file', folder_id: folder.id, content: 'Dates' }
  const file = (await created(company.api.post(`/projects/${project.id}/files`, content))).data
  const discussion = await newDiscussion(company, project.id, { title: 'Palm topic' })
  return { company, project, list, task, folder, file, discussion }
}

describe('A search', () => {
  it('finds every kind, each with exactly its own fields, in the order of kinds', async () => {
    const { company, project, list, task, folder, file, discussion } = await furnish()
    const data = await search(company, { q: 'palm' })
    const project_slug = 'palm-project'
    expect(data).toEqual({
      query: 'palm',
      truncated: [],
      results: [
        { type: 'project', id: project.id, title: 'Palm project', project_slug, archived: false },
        {
          type: 'task_list',
          id: list.id,
          title: 'Palm list',
          project_slug,
          task_list_slug: 'palm-list',
          completed: false,
        },
        {
          type: 'task',
          id: task.id,
          title: 'Palm task',
          project_slug,
          task_list_slug: 'palm-list',
          task_slug: 'palm-task',
          completed: false,
        },
        { type: 'folder', name: 'Palm folder', project_slug, folder_id: folder.id },
        { type: 'file', id: file.ref, name: 'Palm file', project_slug, folder_id: folder.id },
        { type: 'discussion', id: discussion.id, title: 'Palm topic', project_slug, discussion_slug: 'palm-topic' },
      ],
    })
  })

  it('shows what is completed and archived, and finds a record under its new name at once, not under its old one', async () => {
    const { company, project, task } = await furnish()
    await company.api.patch(`/tasks/${task.id}`, { title: 'Cedar task' })
    await company.api.post(`/tasks/${task.id}/complete`)
    await company.api.post(`/projects/${project.id}/archive`)
    const [foundProject, foundList] = (await search(company, { q: 'palm' })).results
    expect([foundProject.archived, foundList.completed]).toEqual([true, true])
    expect((await search(company, { q: 'cedar' })).results).toMatchObject([{ title: 'Cedar task', completed: true }])
    expect(titles(await search(company, { q: 'palm task' }))).toEqual([])
  })

  it('does not find what is deleted, nor anything under a deleted project, list or folder, until that is restored', async () => {
    const { company, project, list, task, folder, discussion } = await furnish()
    await newTask(company, list.id, { title: 'Palm leaf' })
    await company.api.delete(`/tasks/${task.id}`)
    await company.api.delete(`/discussions/${discussion.id}`)
    const left = ['Palm project', 'Palm list', 'Palm leaf', 'Palm folder', 'Palm file']
    expect(titles(await search(company, { q: 'palm' }))).toEqual(left)
    await company.api.delete(`/projects/${project.id}`)
    expect((await search(company, { q: 'palm' })).results).toEqual([])
    expect((await company.admin.post(`/trash/${project.id}/restore`)).status).toBe(200)
    expect(titles(await search(company, { q: 'palm' }))).toEqual(left)
    await company.api.delete(`/lists/${list.id}`)
    await company.api.delete(`/projects/${project.id}/folders/${folder.id}`)
    expect(titles(await search(company, { q: 'palm' }))).toEqual(['Palm project'])
  })

  it('takes some kinds, also with commas; ignores unknown ones, and takes all when none is known', async () => {
    const { company } = await furnish()
    for (const [types, found] of [
      [
        ['task', 'project'],
        ['project', 'task'],
      ],
      [['task,project'], ['project', 'task']],
      [
        ['task, dragon', 'file'],
        ['task', 'file'],
      ],
      [['dragon,,'], { length: 6 }],
    ]) {
      const { results } = await search(company, { q: 'palm', types: types as string[] })
      expect(results.map(({ type }: { type: string }) => type)).toMatchObject(found as object)
    }
  })

  it('tells nothing of kinds that the key may not read, nor of another company', async () => {
    const [{ company, project, list }] = [await furnish(), await furnish()]
    const more = (below: string, body: object) => created(company.api.post(`/projects/${project.id}${below}`, body))
    await more('/lists', { title: 'Palm grove' })
    await more(`/lists/${list.id}/tasks`, { title: 'Palm grove' })
    await more('/folders', { name: 'Palm grove' })
    await more('/files', { name: 'Palm grove', content: 'Dates' })
    await more('/discussions', { title: 'Palm grove' })
    await app.diwan.project(company, { name: 'Palm grove' })
    expect((await search(company, { q: 'palm', per_type: 25 })).results).toHaveLength(12)
    for (const [operation, kinds] of [
      ['projects:read', ['project']],
      ['task_lists:read', ['task_list']],
      ['tasks:read', ['task']],
      ['files:read', ['folder', 'file']],
      ['discussions:read', ['discussion']],
      ['events:read', []],
    ] as const) {
      const settings = { access: 'read', operations: ['account:read', operation], rights: [] }
      const reader = { api: app.diwan.api(await app.diwan.key(company.id, settings)) }
      const { results, truncated } = await search(reader, { q: 'palm', per_type: 1 })
      const found = results.map(({ type }: { type: string }) => type)
      expect([operation, found, truncated]).toEqual([operation, kinds, kinds])
      const hidden = ['project', 'task_list', 'task', 'folder', 'file', 'discussion'].filter(
        kind => !kinds.some(each => each === kind),
      )
      const none = await search(reader, { q: 'palm', types: hidden, per_type: 1 })
      expect(none).toMatchObject({ results: [], truncated: [] })
    }
  })

  it('finds nothing for what has no letters', async () => {
    const { company } = await furnish()
    for (const q of ['', ' ', '\u200f', '...', 'ـ'])
      expect(await search(company, { q })).toEqual({ query: q, results: [], truncated: [] })
  })

  it('clamps per_type to 1..25, and names the kinds that had more', async () => {
    const company = await app.diwan.company()
    const project = await app.diwan.project(company)
    const list = await newList(company, project.id)
    for (let n = 1; n <= 26; n++) await newTask(company, list.id, { title: `Desk ${n}` })
    for (const [per_type, count] of [
      ['1', 1],
      ['0', 1],
      ['-3', 1],
      ['x', 5],
      ['25', 25],
      ['1000', 25],
    ] as const) {
      const data = await search(company, { q: 'desk', per_type })
      expect([data.results.length, data.truncated]).toEqual([count, ['task']])
    }
    expect((await search(company, { q: 'desk 26', per_type: 1 })).truncated).toEqual([])
  })
})

describe('The order', () => {
  async function tasksNamed(titles: string[]): Promise<TestCompany> {
    const company = await app.diwan.company()
    const { id } = await newList(company, (await app.diwan.project(company)).id)
    for (const title of titles) await newTask(company, id, { title })
    return company
  }
  const inOrder = async (company: TestCompany, q: string, per_type = 25) =>
    titles(await search(company, { q, types: 'task', per_type }))

  it('is the whole name, a whole word, the beginning of the name, of a word, the inside; then the newest', async () => {
    const names = ['Airplane', 'The plan', 'Planning', 'plan', 'Unplanned', 'Our planet', 'Plan B', 'Planner']
    const wanted = ['plan', 'Plan B', 'The plan', 'Planner', 'Planning', 'Our planet', 'Unplanned', 'Airplane']
    const company = await tasksNamed(names)
    expect(await inOrder(company, 'PLAN')).toEqual(wanted)
    expect(await inOrder(company, 'PLAN', 5)).toEqual(wanted.slice(0, 5))
  })

  it('has the whole word before a longer one, and a word with its article before the inside of another', async () => {
    const company = await tasksNamed(['ورشة عمل', 'معمل', 'بيئة العمل', 'عملاء'])
    expect(await inOrder(company, 'عمل')).toEqual(['ورشة عمل', 'عملاء', 'بيئة العمل', 'معمل'])
  })

  it('has the spelling as typed first among equals', async () => {
    for (const [q, ...wanted] of [
      ['قران', 'قران', 'قرآن', 'عقد قران', 'حفظ قرآن'],
      ['كرة', 'كرة', 'كره', 'ملعب كرة', 'بلا كره'],
      ['Résumé', 'résumé', 'resume', 'My résumé', 'My resume'],
    ]) {
      expect(await inOrder(await tasksNamed(wanted), q as string)).toEqual(wanted)
      expect(await inOrder(await tasksNamed(wanted.toReversed()), `\u200f${q}\u200f `)).toEqual(wanted)
    }
  })

  // Few letters and few words, so that a query matches nothing, little or nearly everything, at every rank.
  const word = fc.string({ unit: fc.constantFrom(...'abcمري'), minLength: 1, maxLength: 5 })
  const prefixed = fc
    .tuple(
      fc.constantFrom('', 'ال', 'وال', 'بال', 'لل', 'و', 'عبد', 'عبدال', 'العبد'),
      fc.constantFrom('', 'مر', 'ري', 'ريم', 'مريم', 'له', 'عبد', 'ك'),
    )
    .map(parts => parts.join('') || 'عبد')
  const name = fc.array(fc.oneof(word, prefixed), { minLength: 1, maxLength: 3 }).map(words => words.join(' '))

  interface Titled {
    title: string
    id: string
  }

  const numbered = (count: number, ...words: string[]) =>
    Array.from({ length: count }, (_, n) => `${words[n % words.length]} ${n % 9}`)

  /** Adds tasks with refs that are numbered from `from` on. */
  async function addTasks(list: string, titles: string[], from = 0): Promise<Titled[]> {
    await app.database.pool.query(
      `insert into tasks (company_id, project_id, task_list_id, ref, slug, title, created_by)
       select l.company_id, l.project_id, l.id, 'tsk-' || (n + $3 - 1), 'task-' || (n + $3), given.title, l.created_by
       from task_lists l, unnest($1::text[]) with ordinality given (title, n) where l.ref = $2 order by n`,
      [titles, list, from],
    )
    return titles.map((title, n) => ({ title, id: `tsk-${n + from}` }))
  }

  async function expectTheBest(company: TestCompany, records: Titled[], q: string): Promise<void> {
    for (const per_type of [1, 2]) {
      const data = await search(company, { q, types: 'task', per_type })
      const wanted = expectedHits(records, q, per_type).map(({ id }) => id)
      expect([q, ...data.results.map(({ id }: Titled) => id)]).toEqual([q, ...wanted.slice(0, per_type)])
      expect([q, data.truncated]).toEqual([q, wanted.length > per_type ? ['task'] : []])
    }
  }

  it('is right among many too, whichever index serves it', async () => {
    const company = await app.diwan.company()
    const { id } = await newList(company, (await app.diwan.project(company)).id)
    const common = fc.sample(name, { numRuns: 300, seed: 1 })
    // Rare and old records are found through the indexes, common ones among the newest records.
    const rare = Array.from({ length: 200 }, (_, n) => `${n % 2 ? 'old' : 'rare'} ${n % 7} zz${n}`)
    const records = await addTasks(id, [...rare, ...common])
    const queries = ['old', 'rare 3', 'zz17', 'z', 'zz', 'ol', '3 rare', 'are']
    for (const q of [...fc.sample(name, { numRuns: 40, seed: 2 }), ...queries]) await expectTheBest(company, records, q)
  })

  it('is right when the names have changed since the last search', async () => {
    const company = await app.diwan.company()
    const { id } = await newList(company, (await app.diwan.project(company)).id)
    const queries = ['old', 'fresh', 'fresh 7', 'rare 7', 'f', '7', 'res']
    const check = async (records: Titled[]) => {
      for (const q of queries) await expectTheBest(company, records, q)
    }
    await check([])
    const few = await addTasks(id, ['fresh 7', 'old'])
    await check(few)
    const many = [...few, ...(await addTasks(id, numbered(200, 'old', 'rare'), few.length))]
    await check(many)
    const renamed = numbered(many.length, 'fresh', 'refreshed').map((title, n) => ({ title, id: `tsk-${n}` }))
    await app.database.pool.query(
      `update tasks t set title = given.title from unnest($1::text[]) with ordinality given (title, n)
       where t.ref = 'tsk-' || (n - 1) and t.company_id = (select company_id from task_lists where ref = $2)`,
      [renamed.map(({ title }) => title), id],
    )
    await check(renamed)
  })
})

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
  ['نظام الـERP', 'نظام ERP'],
  ['بالجودة', 'جودة'],
  ['كالسابق', 'السابق'],
  ['فالاجتماع', 'والاجتماع'],
  ['للمبيعات', 'مبيعات'],
  ['خالد وأحمد', 'خالد أحمد'],
  ['مسؤول المبيعات', 'مسئول المبيعات'],
  ['عبدربه', 'عبد ربه'],
  ['عبد ﷲ', 'عبدالله'],
  ['العبدالله', 'عبد الله'],
  ['ميزانية 1,250,000 ريال', 'ميزانية ١٢٥٠٠٠٠ ريال'],
]

/** A query as people type it, and a name that they mean by it. Each class is searched in a company that has only its names. */
const MEANT: Record<string, Pair[]> = {
  prefixes: [
    ['وللمكتب', 'مكتب الرياض'],
    ['سيناقش', 'يناقش المجلس'],
    ['للجنة', 'لجنة التحكيم'],
    ['بالبوابة', 'للبوابة الإلكترونية'],
  ],
  suffixes: [
    ['المهندسون', 'مهندس الموقع'],
    ['مراجعة', 'مراجعات ربعية'],
    ['سيارتنا', 'سيارات الشركة'],
    ['إعلانين', 'إعلاناتنا'],
    ['بحساباتهم', 'حساب جاري'],
  ],
  plurals: [
    ['مشروع', 'مشاريع السنة'],
    ['خطة', 'خطط الطوارئ'],
    ['شركاء', 'الشريك التقني'],
    ['وللمشاريع', 'مشروعنا الأول'],
  ],
  'joined and split words': [
    ['نورالدين', 'نور الدين الخطيب'],
    ['أبو ظبي', 'فرع أبوظبي'],
    ['PO4512', 'PO 4512'],
    ['٠٥٠١٢٣٤٥٦٧', 'جوال 050-123-4567'],
    ['email', 'e-mail templates'],
  ],
  hamzas: [
    ['مسائلة', 'مساءلة الموردين'],
    ['هيأة', 'هيئة السوق'],
    ['مكافئة', 'مكافأة نهاية الخدمة'],
  ],
  'stop words': [
    ['تقرير عن المبيعات', 'تقرير المبيعات'],
    ['الصيانة في المصنع', 'صيانة المصنع'],
  ],
  'one edit': [
    ['مستوصع', 'مستودع جدة'],
    ['ميزنية', 'ميزانية التسويق'],
    ['اتجماع', 'اجتماع الاثنين'],
    ['contarct', 'Contract renewal'],
    ['النضام', 'نظام الحضور'],
    ['ظمان', 'ضمان بنكي'],
  ],
  'marks of direction': [['\u200fعقد', 'عقد التوريد']],
}

/** Similar to look at, but nobody means the name by the query. */
const NOT_MEANT: Pair[] = [
  // Too few letters would be left without the prefix, or it is none.
  ['الم', 'ملف م'],
  ['بالغ', 'غ'],
  ['وحدة', 'حدة الخلاف'],
  ['والله', 'له'],
  // The rest must match a whole word.
  ['والد', 'الدمام'],
  ['العقد', 'معقد'],
  ['الخط', 'خطة'],
  // Every word must be found.
  ['المكتب الجديد', 'مكتب قديم'],
  ['عبدالله', 'عبد اللطيف'],
  ['عبدالله', 'عبد الكريم نصر الله'],
  // Another letter is another word, where words are short or the letter is the first.
  ['قلب', 'كلب'],
  ['ماء', 'ما العمل'],
  ['عيون', 'عئون'],
  ['plan', 'plain'],
  // Numbers have no misspellings.
  ['12345', '12346'],
  ['1000', '1 000'],
  ['125', '١٢٫٥'],
]

describe('A search by another spelling', () => {
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
