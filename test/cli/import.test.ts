import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { type Destination, destination, sample, written } from '../support/importing.ts'
import { noonZone } from '../support/noon-zone.ts'
import { newFolder } from '../support/server-process.ts'

const server = useApp()
let to: Destination

const anew = async () => {
  to = await destination(server)
}
const imported = async (file: string, ...options: string[]) => {
  await anew()
  const { code, stdout, stderr } = await to.run(file, ...options)
  expect([code, stderr]).toEqual([0, ''])
  return { stdout, lists: await to.lists() }
}
const task = (fields: object) => expect.objectContaining(fields)

describe('diwan import of CSV', () => {
  it('knows columns by English and Arabic names, people by address and name, and what is completed', async () => {
    await anew()
    const file = written(
      `\ufeffالعنوان;القائمة;الموعد النهائي;المسؤول;مكتملة;الوصف;الأولوية
شراء الأثاث;التجهيزات;٢٠٢٧-٠٢-٠١;omar aziz;لا;"سطر أول
سطر ثان";عالية
عقد الإيجار;التجهيزات;2027/2/1 10:00;${to.omar.toUpperCase()};نعم;;
طلاء الجدران;;;فريد;;;
`,
    )
    const { code, stdout, stderr } = await to.run(file)
    expect([code, stderr]).toEqual([0, ''])
    const nobody = { completed: false, assignee: null }
    expect(await to.lists()).toEqual({
      التجهيزات: [
        task({ title: 'شراء الأثاث', due_at: '2027-02-01', notes: 'سطر أول\nسطر ثان\n\nImported\nالأولوية: عالية' }),
        task({ title: 'عقد الإيجار', due_at: '2027-02-01', completed: true, assignee: task({ email: to.omar }) }),
      ],
      'Imported tasks': [task({ ...nobody, title: 'طلاء الجدران', notes: 'Imported\nAssignee: فريد', due_at: null })],
    })
    expect((await to.lists()).التجهيزات?.[0]?.assignee?.email).toBe(to.omar)
    expect(stdout).toContain('Imported 3 tasks into 2 lists (1 completed):')
    expect(stdout).toContain('  التجهيزات: 2 (new list)\n')
    expect(stdout).toContain('Nobody, or more than one member, is called: فريد.')
  })

  it('takes columns, lists, dates, statuses and an encoding as it is told', async () => {
    // "Café" in latin1.
    const bytes = Buffer.from(
      'What\tTill\tWhere\tPhase\nCaf\xe9\t3/4/2027\tWest\tshipped\nTea\t31.12.2027\t\topen\n',
      'latin1',
    )
    const options = [
      '--map',
      'title=What,due=Till',
      '--map',
      'status=phase',
      '--list-by',
      'Where',
      '--list',
      'Elsewhere',
    ]
    const { lists } = await imported(
      written(bytes),
      ...options,
      ...['--dates', 'day-first', '--encoding', 'latin1', '--done', 'Shipped', '--drop-extra'],
    )
    expect(lists).toEqual({
      West: [task({ title: 'Café', due_at: '2027-04-03', completed: true, notes: null })],
      Elsewhere: [task({ title: 'Tea', due_at: '2027-12-31', completed: false })],
    })
  })

  it('reads metadata from columns that are called so, and leaves out empty cells', async () => {
    const file = written('Title,metadata.stage,metadata.رقم\nDesks,review,7\nChairs,,\n')
    const { lists } = await imported(file)
    expect(lists['Imported tasks']).toEqual([
      task({ title: 'Desks', notes: null, metadata: { stage: 'review', رقم: '7' } }),
      task({ title: 'Chairs', notes: null, metadata: {} }),
    ])
  })

  it('refuses columns and values of metadata that the server would refuse', async () => {
    await anew()
    for (const [header, cell, reason] of [
      ['metadata.a b', 'x', 'FILE has a column "metadata.a b": a key has 1 to 40 letters, digits, _ . or -'],
      ['metadata.a,metadata.a', 'x', 'FILE has two columns "metadata.a"'],
      ['metadata.a', 'x'.repeat(501), 'row 2: metadata.a has more than 500 characters'],
    ])
      expect((await to.run(written(`Title,${header}\nDesks,${cell}\n`))).stderr).toContain(reason)
  })

  it('reads Hijri days, people in another spelling, and values with direction marks around them', async () => {
    await anew()
    await to.company.admin.post('/users', { name: 'عبد الرحمن العتيبي', email: 'abd@example.com' })
    const file = written(
      'العنوان,الاستحقاق,المسؤول\n\u200fمكتب\u200f,\u200f١\u200f/٩\u200f/١٤٤٨ هـ,عبدالرحمن عتيبي\u200f\n',
    )
    expect((await to.run(file, '--dates', 'hijri-day-first')).code).toBe(0)
    expect((await to.lists())['Imported tasks']).toEqual([
      task({ title: 'مكتب', due_at: '2027-02-08', assignee: { name: 'عبد الرحمن العتيبي', email: 'abd@example.com' } }),
    ])
  })

  it('puts everything into the list that --list names, which may be there already', async () => {
    await anew()
    await to.company.api.post(`/projects/${to.project}/lists`, { title: 'Backlog' })
    const { stdout } = await to.run(written('Title,List\na,One\nb,Two\n'), '--list', 'Backlog', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ tasks: 2, lists: [{ title: 'Backlog', tasks: 2 }], new_lists: [] })
    expect(Object.keys(await to.lists())).toEqual(['Backlog'])
  })

  it('keeps formulas, emoji and words of JavaScript as they are, takes off marks of direction, and passes over rows of nothing', async () => {
    const titles = [
      '__proto__',
      'constructor',
      '=SUM(A1)',
      '+1',
      '@cmd',
      '\u202eabc\u202c',
      '👩‍💻 desk',
      'it\'s 5" wide',
    ]
    const rows = titles.map(title => `${title},constructor,__proto__,x`)
    const { lists } = await imported(written(`Title,List,Assignee,constructor\n${rows.join('\n')}\n,,,\n`))
    const [tasks] = Object.values(lists)
    expect([Object.keys(lists), tasks?.map(({ title }) => title)]).toEqual([
      ['constructor'],
      titles.map(title => title.replace(/[\u202c\u202e]/g, '')),
    ])
    expect(tasks?.[0]?.notes).toBe('Imported\nAssignee: __proto__\nconstructor: x')
  })
})

describe('diwan import of an export', () => {
  it('reads the CSV of Redmine: lists by category, then by version', async () => {
    const { lists, stdout } = await imported(sample('redmine.csv'), '--format', 'redmine', '--dates', 'month-first')
    expect(lists).toEqual({
      Accounts: [task({ title: 'Login fails, sometimes', due_at: '2026-11-20', completed: false })],
      '1.3': [task({ title: 'Remember the language', completed: true, assignee: null })],
      'Imported tasks': [task({ title: 'Opened again', completed: false })],
    })
    expect(lists.Accounts?.[0]?.assignee?.email).toBe(to.omar)
    expect(lists.Accounts?.[0]?.notes).toBe(
      'Steps:\n1. open "/login"\n2. wait\n\nImported from Redmine\nNumber: 412\nProject: Website\nTracker: Bug\nStatus: In Progress\nPriority: High\nAuthor: Layla Haddad\nUpdated: 11/02/2026 09:14 AM\nTarget version: 1.4\nStart date: 10/28/2026\nEstimated time: 4.0\n% Done: 30\nCreated: 10/27/2026 04:02 PM\nRelated issues: Related to #398\nPrivate: No',
    )
    expect(lists['1.3']?.[0]?.notes).toMatch(/^Imported from Redmine\nAssignee: Sara Nasser\nNumber: 398\n/)
    expect(stdout).toContain('Nobody, or more than one member, is called: Sara Nasser.')
  })

  it('reads the CSV of Redmine in Arabic', async () => {
    const { lists } = await imported(sample('redmine-arabic.csv'), '--format', 'redmine', '--dates', 'month-first')
    expect(lists).toEqual({
      التجهيزات: [task({ title: 'شراء الأثاث المكتبي', due_at: '2026-12-31', completed: false })],
      'المرحلة الأولى': [task({ title: 'توقيع عقد الإيجار', completed: true })],
    })
  })

  it('reads the JSON of Redmine, and several pages of it in one file', async () => {
    const page = readFileSync(sample('redmine.json'), 'utf8')
    const { lists } = await imported(
      written(`${page}${page.replace('false', 'true').replace('412', '413')}`, 'issues.json'),
      '--format',
      'redmine',
    )
    const known = { title: 'Login fails, sometimes', due_at: '2026-11-20' }
    expect(lists).toEqual({ Accounts: [task({ ...known, completed: false }), task({ ...known, completed: true })] })
    expect(lists.Accounts?.[0]?.notes).toMatch(/\nImported from Redmine\nNumber: 412\n(.+\n)+Browser: Firefox$/)
  })

  it('reads the CSV of Asana', async () => {
    const { lists } = await imported(sample('asana.csv'), '--format', 'asana')
    expect(lists).toEqual({
      'To do': [
        task({ title: 'Write the brief', due_at: '2026-10-15', completed: false }),
        task({ title: 'Draft outline', notes: expect.stringMatching(/\nParent task: Write the brief$/) }),
      ],
      Done: [task({ title: 'Send invoices', completed: true, assignee: null })],
    })
    expect(lists['To do']?.[0]?.assignee?.email).toBe(to.omar)
    expect(lists.Done?.[0]?.notes).toMatch(/^Imported from Asana\nAssignee: Nadia Noor <nadia@example.org>\n/)
  })

  it('reads the JSON of Asana, tasks within tasks too', async () => {
    const { lists } = await imported(sample('asana.json'), '--format', 'asana')
    expect(lists).toEqual({
      'To do': [
        task({ title: 'Write the brief', due_at: '2026-10-15', completed: false }),
        task({ title: 'Draft outline', completed: true }),
      ],
    })
    expect(lists['To do']?.[0]?.notes).toMatch(/^Line one\nLine two\n\nImported from Asana\n(.+\n)*Tags: design, Q4\n/)
  })
})

describe('diwan import --dry-run', () => {
  it('says what would come of the file, which rows are bad and why, and writes nothing', async () => {
    await anew()
    const file = written(
      `Title,Due,Completed,Assignee,List\nGood,2027-01-01,yes,Farid,New\nBad,31/12/2027,,,\n,,,,L\nDone?,,perhaps,,\nNo day,2027-02-30,,,\nHijri,1448-01-01,,,\n${'x'.repeat(256)},,,,\nshort,1\n`,
    )
    const { code, stdout, stderr } = await to.run(file, '--dry-run')
    expect([code, stderr.trim().split('\n')]).toEqual([
      1,
      [
        'row 3: due "31/12/2027" is ambiguous: use --dates day-first or --dates month-first',
        'row 4: title is empty',
        'row 5: completed "perhaps" is not yes, no or a date',
        'row 6: due 2027-02-30 must be a date that exists, written YYYY-MM-DD',
        'row 7: due 1448-01-01 must be a Gregorian date from 1900 to 9999; 1448 looks like a Hijri year',
        'row 8: title has more than 255 characters',
        'row 9 has 2 cells, but the header has 5. Is a quote missing?',
      ],
    ])
    expect(stdout).toBe(
      'Would import 1 task into 1 list (1 completed):\n  New: 1 (new list)\nNobody, or more than one member, is called: Farid. Their tasks are unassigned, and the description of each names the person.\n7 rows cannot be imported.\nThe import would use about 7 API calls. Nothing was written.\n',
    )
    expect([await to.lists(), existsSync(`${file}.diwan-import.json`)]).toEqual([{}, false])
    const { stdout: json } = await to.run(file, '--dry-run', '--json')
    expect(JSON.parse(json)).toEqual(
      task({ dry_run: true, tasks: 1, rejected: 7, new_lists: ['New'], unknown_people: ['Farid'] }),
    )
  })

  it('says whether the calls that are left today are enough, and what happens if they are not', async () => {
    const there = await destination(server, { time_zone: noonZone(), daily_calls: 50 })
    const rows = (count: number) => written(`Title\n${'x\n'.repeat(count)}`)
    const enough = await there.run(rows(5), '--dry-run')
    expect(enough.stdout).toMatch(/about 10 API calls of the 4\d left today\. Nothing was written\.\n$/)
    const short = await there.run(rows(60), '--dry-run')
    expect([short.code, short.stdout]).toEqual([
      0,
      expect.stringMatching(
        /about 66 API calls, but only \d\d are left today\. It would stop there: run the same command after \d{4}-.+Z to continue\. Nothing was written\.\n$/,
      ),
    ])
    const { stdout } = await there.run(rows(60), '--dry-run', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      tasks: 60,
      calls_left: expect.any(Number),
      resets_at: expect.any(String),
    })
  })
})

it('Bad rows are refused before anything is written', async () => {
  await anew()
  const { code, stderr } = await to.run(written('Title,Due\nGood,2027-01-01\nBad,soon\n'))
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^row 3: due "soon" is not a date such as 2027-02-01\ndiwan: Nothing was imported because one row of .+\.csv cannot be imported\. Correct the file, or use --skip-bad to leave out such rows\n$/,
    ),
  ])
  expect(await to.lists()).toEqual({})
})

describe('The file of bad rows', () => {
  it('has the delimiter and the line ends of FILE, behind a byte order mark', async () => {
    await anew()
    const file = written('\ufeffالعنوان;الموعد النهائي;الوصف\r\nجيد;2027-01-01;\r\nسيئ;قريبا;"أ;ب, ج"\r\n')
    const { code, stdout } = await to.run(file, '--skip-bad')
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Skipped 1 row: see ${file}.rejected.csv.\n`)])
    const rejected = readFileSync(`${file}.rejected.csv`, 'utf8')
    expect(rejected).toBe(
      '\ufeffالعنوان;الموعد النهائي;الوصف;Rejected row;Rejected because\r\nسيئ;قريبا;"أ;ب, ج";3;"due: ""قريبا"" is not a date such as 2027-02-01"\r\n',
    )
    expect((await to.run(written(rejected.replace('قريبا;', '2027-03-01;')))).code).toBe(0)
    expect(Object.values(await to.lists())).toEqual([
      [task({ title: 'جيد' }), task({ title: 'سيئ', notes: 'أ;ب, ج', due_at: '2027-03-01' })],
    ])
  })

  it('has the encoding of FILE, so that the same options read it', async () => {
    await anew()
    const file = written(Buffer.from('Title\tDue\rCaf\xe9\tsoon\r', 'latin1'))
    const { stderr } = await to.run(file, '--skip-bad', '--encoding', 'latin1')
    expect(stderr).toBe('')
    const rejected = readFileSync(`${file}.rejected.csv`, 'latin1')
    expect(rejected).toMatch(/^Title\tDue\tRejected row\tRejected because\rCaf\xe9\tsoon\t2\t"due: [^\r]+"\r$/)
    const corrected = written(Buffer.from(rejected.replace('soon\t', '2027-03-01\t'), 'latin1'))
    expect((await to.run(corrected, '--encoding', 'latin1')).code).toBe(0)
    expect(Object.values(await to.lists()).flat()).toEqual([task({ title: 'Café', due_at: '2027-03-01' })])
  })
})

it('Links are not followed: not to FILE, not to its progress, and not to what an import writes beside it', async () => {
  await anew()
  const precious = written('Title\nSecret\n', 'elsewhere.csv')
  const link = join(newFolder(), 'tasks.csv')
  symlinkSync(precious, link)
  expect(await to.run(link)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('FILE must be a file itself, and not a link'),
  })
  const begun = written('Title\na\n')
  symlinkSync(precious, `${begun}.diwan-import.json`)
  expect(await to.run(begun)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is a link, and links are not followed'),
  })
  expect(await to.lists()).toEqual({})
  const file = written('Title,Due\na,\nb,soon\n')
  for (const ending of ['.rejected.csv', '.rejected.csv.new', '.diwan-import.json.new'])
    symlinkSync(precious, file + ending)
  expect((await to.run(file, '--skip-bad')).code).toBe(0)
  expect(readFileSync(precious, 'utf8')).toBe('Title\nSecret\n')
  expect(readFileSync(`${file}.rejected.csv`, 'utf8')).toContain('b,soon')
})

it('A file that cannot be read, and options that do not fit it, are refused with a clear word, and nothing is written', async () => {
  await anew()
  const nothing = 'Title\na\n'
  const cases: [content: string | Uint8Array, options: string[], message: string][] = [
    ['one,two\nthree,four\n', [], 'Its first row is "one", "two"'],
    ['', [], 'FILE is empty'],
    ['Title,Name\na,b\n', [], 'two columns that could be the title: "Title", "Name". Choose one with --map title='],
    ['Title\na\n"b\nc\n', [], 'FILE: row 3 has a quote that is never closed'],
    ['Title\na\n"b"c\n', [], 'row 3 has text after a closing quote\ndiwan: Nothing was imported'],
    ['Title,Tags\na,b\nc,d\u0000e\n', [], 'row 3: Tags contains control characters, which cannot be stored'],
    ['Ti\u0000tle\na\n', [], 'Its first row is "Ti\\u0000tle"'],
    [Buffer.from('Title\na\n\xe3\xdf\n', 'latin1'), [], 'With --encoding windows-1256, line 3 reads "مك"'],
    [Buffer.from('\ufeffTitle\na\n', 'utf16le'), [], 'FILE is UTF-16. Save it as UTF-8'],
    ['{"issues":[]}', [], 'Its first row is "{\\"issues\\":[]}"'],
    [nothing, ['--map', 'when=Due'], '--map must be FIELD=COLUMN with one of title, notes, due, assignee'],
    [nothing, ['--map', 'due=When'], '--map due: FILE has no column "When". Its columns are "Title"'],
    [nothing, ['--list-by', 'Where'], '--list-by: FILE has no column "Where". Its columns are "Title"'],
    [nothing, ['--list', ' '], '--list must be a title'],
    [nothing, ['--done', 'Shipped'], '--done: FILE has no status column'],
    [nothing, ['--project', 'nowhere'], '404 not_found: '],
    [nothing, ['--format', 'jira'], '--format must be one of csv, redmine, asana'],
    [nothing, ['--url', 'http://127.0.0.1:1'], 'No server answers at http://127.0.0.1:1'],
  ]
  for (const [content, options, message] of cases) {
    const { code, stdout, stderr } = await to.run(written(content), ...options)
    expect([message, code === 1 || code === 2, stdout]).toEqual([message, true, ''])
    expect(stderr.replace(/\S+\/tasks\.csv/g, 'FILE')).toContain(message)
  }
  expect((await to.run('nowhere.csv')).stderr).toMatch(/^diwan: FILE cannot be read: ENOENT/)
  expect(await to.lists()).toEqual({})
})
