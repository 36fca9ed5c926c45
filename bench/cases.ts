import { get, post, put, type Request } from './load.ts'

/** Data of one size, and the keys of two of its companies: the large one, and a small one with a finite allowance. */
export interface Data {
  tasks: number
  key: string
  finiteKey: string
  /** The cursor that the `begin` of a case returned. */
  cursor?: string
}

/** Sends a request and returns the body of the answer. */
type Ask = (request: Request) => Promise<string>

export interface Case {
  name: string
  /** Runs once, before the measured requests, and returns the cursor at which they begin. */
  begin?: (data: Data, ask: Ask) => Promise<string>
  /** The next request to Diwan. */
  ask: (data: Data) => Request
  /** The next request to the floor; a case without it has no floor. */
  floor?: (data: Data) => Request
  /** The floor must return the same bytes as Diwan for the first request. */
  sameBytes?: boolean
  /** The search word, or the name under which the floor remembers its answer. */
  word?: string
  /** The number of connections, if it differs from the other cases. */
  connections?: number
  /** The case that this one is compared with instead of the floor. */
  against?: string
}

/** The ref that the generator gives to a record. */
function ref(prefix: string, n: number): string {
  return `${prefix}-${((BigInt(n) * 668265263n) & 0xffffffffffn).toString(16).padStart(10, '0')}`
}

/** The external id that a task is given, by its number. */
export function externalId(n: number | ''): string {
  return `crm-${n}`
}

/** Visits the records in the same order every time; consecutive ones are far apart. */
function walk(step: number): (count: number) => number {
  let n = 0
  return count => {
    n += step
    return (n % count) + 1
  }
}

const API = '/api/v1'
const anyTask = walk(7_919)
const anyList = walk(104_729)
// The data outlasts a run, so the next run must use other names.
let created = Date.now()

/** Reads a list of a hundred tasks: its first page, or its last. */
function listing(name: string, offset: number): Case {
  const ask = walk(104_729)
  const floor = walk(104_729)
  return {
    name,
    ask: ({ tasks, key }) => get(`${API}/lists/${ref('lst', ask(tasks / 100))}/tasks?limit=50&offset=${offset}`, key),
    floor: ({ tasks, key }) => {
      const n = floor(tasks / 100)
      return get(`/list/${n},${offset},${ref('lst', n)}`, key)
    },
    sameBytes: true,
  }
}

/** Asks for tasks by one filter. The floor reads and counts as many through the same index. */
function filtered(name: string, query: string, floor: string): Case {
  return {
    name,
    word: name,
    ask: ({ key }) => get(`${API}/company/tasks?${query}&limit=50`, key),
    floor: ({ key }) => get(`/${floor}/${name}`.replaceAll(' ', '%20'), key),
  }
}

/** Writes a task by its external id, below a list in which it need not be. */
function upserting(name: string, next: (n: number) => { id: string; body: object }): Case {
  return {
    name,
    ask: ({ tasks, key }) => {
      const { id, body } = next(created++)
      return put(`${API}/lists/${ref('lst', anyList(tasks / 100))}/tasks/ext:${id}`, key, JSON.stringify(body))
    },
    against: 'create a task',
  }
}

const THERE = 500

/** Tasks of one title, for those who write them again. */
async function tasksThere({ key }: Data, ask: Ask): Promise<string> {
  for (let from = 0; from < THERE; from += 100) {
    const tasks = Array.from({ length: 100 }, (_, n) => ({ title: 'There', external_id: `there-${from + n}` }))
    await ask(post(`${API}/lists/${ref('lst', 1)}/tasks/batch`, key, JSON.stringify({ tasks })))
  }
  return ''
}

const OPEN_BY_DUE_DATE = `${API}/company/tasks?completed=false&sort=due&limit=50`

/** The first page of the company's tasks in one of the sort orders. */
function sorted(sort: string): Case {
  const name = `company tasks, sort=${sort}`
  return {
    name,
    word: name,
    ask: ({ key }) => get(`${API}/company/tasks?sort=${sort}&limit=50`, key),
    floor: ({ key }) => get(`/sorted ${sort}/${name}`.replaceAll(' ', '%20'), key),
  }
}

/** The cases of the mixture, and how many of ten requests each of them makes. */
const MIXTURE = [
  { of: 'get a task', parts: 5 },
  { of: 'list 50 tasks, first page', parts: 3 },
  { of: 'create a task', parts: 1 },
  { of: 'complete a task', parts: 1 },
]

function mixed(connections: number): Case {
  const cases = MIXTURE.flatMap(({ of, parts }) => Array.from({ length: parts }, () => of))
  const turn = walk(7)
  const any = () => {
    const next = cases[turn(cases.length) - 1]
    return CASES.find(({ name }) => name === next) as Case
  }
  return {
    name: `mixed, 80 % reads, ${connections} at once`,
    connections,
    ask: data => any().ask(data),
    floor: data => (any().floor as NonNullable<Case['floor']>)(data),
  }
}

/** Text of which adjacent pages differ, and which scans in no time. */
const FIVE_MEGABYTES = Buffer.alloc(5 * 1024 * 1024, 'Diwan uploads. ').toString('base64')
const REPORT =
  '# Report\n\n## تقرير\n\nA paragraph of some words, مع كلمات عربية.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'.repeat(5)

function uploading(name: string, fields: object, floor?: Case['floor']): Case {
  const body = JSON.stringify(fields)
  return {
    name,
    ask: ({ key }) => post(`${API}/projects/${ref('prj', 1)}/files`, key, body),
    ...(floor && { floor: data => floor(data) }),
  }
}

function cursorOf(answer: string): string {
  return JSON.parse(answer).meta.next_cursor
}

/** Creates a hundred tasks, and returns the cursor before them once they are in the feed. */
async function beforeHundredChanges({ key }: Data, ask: Ask): Promise<string> {
  const start = cursorOf(await ask(get(`${API}/company/changes`, key)))
  await ask(post(`${API}/lists/${ref('lst', 1)}/tasks/batch`, key, JSON.stringify({ tasks: hundredTasks() })))
  for (;;) {
    const { meta } = JSON.parse(await ask(get(`${API}/company/changes?after=${start}&limit=100`, key)))
    if (meta.count === 100) return start
  }
}

function hundredTasks(): { title: string }[] {
  return Array.from({ length: 100 }, () => ({ title: `Benchmark ${created++}` }))
}

function searching(name: string, word: string, floor: 'search-rare' | 'search-common'): Case {
  return {
    name,
    word,
    ask: ({ key }) => get(`${API}/search?q=${encodeURIComponent(word)}`, key),
    floor: ({ key }) => get(`/${floor}/${encodeURIComponent(word)}`, key),
  }
}

/** Every third task is complete from the beginning. */
function openTask(turn: number, tasks: number): string {
  const n = (turn * 7_919) % Math.floor((tasks * 2) / 3)
  return ref('tsk', n + Math.floor(n / 2) + 1)
}

let turns = 0

/** Every other request reopens the task that was completed some turns ago, so that the next run finds it open. */
function completedOrReopened(tasks: number): string {
  const turn = turns++
  const isReopened = turn % 2 === 1 && turn > 2 * TURNS_BETWEEN
  const which = isReopened ? turn - 1 - 2 * TURNS_BETWEEN : turn
  return `${openTask(which, tasks)}/${isReopened ? 'incomplete' : 'complete'}`
}

const TURNS_BETWEEN = 64

const asked = walk(7_919)
const floored = walk(7_919)

export const CASES: Case[] = [
  {
    name: 'get a task',
    ask: ({ tasks, key }) => get(`${API}/tasks/${ref('tsk', asked(tasks))}`, key),
    floor: ({ tasks, key }) => get(`/get/${ref('tsk', floored(tasks))}`, key),
    sameBytes: true,
  },
  {
    name: 'get a task, finite allowance',
    ask: ({ tasks, finiteKey }) => get(`${API}/tasks/${ref('tsk', tasks + anyTask(100))}`, finiteKey),
    against: 'get a task',
  },
  listing('list 50 tasks, first page', 0),
  listing('list 50 tasks, last page', 50),
  {
    name: 'open tasks by due date, first page',
    word: 'open tasks, first page',
    ask: ({ key }) => get(OPEN_BY_DUE_DATE, key),
    floor: ({ key }) => get('/open/open%20tasks%2C%20first%20page', key),
  },
  {
    name: 'open tasks by due date, deep page',
    word: 'open tasks, deep page',
    begin: async ({ tasks, key }, ask) => cursorOf(await ask(get(`${OPEN_BY_DUE_DATE}&offset=${tasks / 2}`, key))),
    ask: ({ key, cursor = '' }) => get(`${OPEN_BY_DUE_DATE}&cursor=${cursor}`, key),
    floor: ({ key }) => get('/open-deep/open%20tasks%2C%20deep%20page', key),
  },
  // The first two are invented names in the titles of the first two tasks; `the` and مشروع are in half of all titles each.
  searching('search, rare', 'Lavgud', 'search-rare'),
  searching('search, rare Arabic', 'قدكصق', 'search-rare'),
  searching('search, common', 'the', 'search-common'),
  searching('search, common Arabic', 'مشروع', 'search-common'),
  searching('search, one letter', 'r', 'search-common'),
  searching('search, one Arabic letter', 'ر', 'search-common'),
  searching('search, no match', 'Zanzibar', 'search-rare'),
  searching('search, no Arabic match', 'زنجبار', 'search-rare'),
  searching('search, common Arabic with a prefix', 'والمشروع', 'search-rare'),
  searching('search, no Arabic match with a prefix', 'والزنجبار', 'search-rare'),
  {
    name: 'create a task',
    ask: ({ tasks, key }) =>
      post(`${API}/lists/${ref('lst', anyList(tasks / 100))}/tasks`, key, `{"title":"Benchmark ${created++}"}`),
    floor: ({ tasks, key }) => post(`/create/${anyList(tasks / 100)}`, key, `{"title":"floor-${created++}"}`),
  },
  {
    name: 'create a task, all in one list, other titles',
    ask: ({ key }) => post(`${API}/lists/${ref('lst', 1)}/tasks`, key, `{"title":"Benchmark ${created++}"}`),
    floor: ({ key }) => post('/create/1', key, `{"title":"floor-${created++}"}`),
  },
  {
    name: 'create a task, all in one list, one title',
    ask: ({ key }) => post(`${API}/lists/${ref('lst', 2)}/tasks`, key, '{"title":"Benchmark"}'),
    floor: ({ key }) => post('/create/2', key, `{"title":"floor-${created++}"}`),
  },
  {
    name: 'create a task, Idempotency-Key',
    ask: ({ tasks, key }) => {
      const list = ref('lst', anyList(tasks / 100))
      return post(
        `${API}/lists/${list}/tasks`,
        key,
        `{"title":"Benchmark"}`,
        `Idempotency-Key: ${created++}-${Date.now()}\r\n`,
      )
    },
    floor: ({ tasks, key }) => post(`/create/${anyList(tasks / 100)}`, key, `{"title":"floor-${created++}"}`),
  },
  {
    name: 'create 100 tasks in a batch',
    ask: ({ tasks, key }) =>
      post(
        `${API}/lists/${ref('lst', anyList(tasks / 100))}/tasks/batch`,
        key,
        JSON.stringify({ tasks: hundredTasks() }),
      ),
    against: 'create a task',
  },
  {
    name: 'complete a task',
    ask: ({ tasks, key }) => post(`${API}/tasks/${completedOrReopened(tasks)}`, key),
    floor: ({ tasks, key }) => post(`/complete/${ref('tsk', anyTask(tasks))}`, key),
  },
  upserting('upsert a task that is not there', n => ({ id: `new-${n}`, body: { title: `Benchmark ${n}` } })),
  {
    ...upserting('upsert a task that is there', n => ({
      id: `there-${n % THERE}`,
      body: { title: 'There', notes: `Benchmark ${n}` },
    })),
    begin: tasksThere,
  },
  filtered('tasks with an external id', `external_id=${externalId(77)}`, 'with-external-id'),
  filtered('tasks with metadata that few have', 'metadata[deal]=77', 'with-deal'),
  filtered('tasks with metadata that many have', 'metadata[stage]=review', 'with-stage'),
  sorted('created'),
  sorted('-created'),
  sorted('due'),
  sorted('-due'),
  sorted('updated'),
  sorted('-updated'),
  {
    name: 'feed of changes, 100 entries',
    word: 'feed of changes',
    begin: beforeHundredChanges,
    ask: ({ key, cursor = '' }) => get(`${API}/company/changes?after=${cursor}&limit=100`, key),
    floor: ({ key }) => get('/changes/feed%20of%20changes', key),
  },
  {
    // The small data has no more than ten.
    name: 'list 10 projects',
    word: 'list 10 projects',
    ask: ({ key }) => get(`${API}/projects?limit=10`, key),
    floor: ({ key }) => get('/projects/list%2010%20projects', key),
  },
  uploading('upload 5 MB', { name: 'Plan.txt', content_base64: FIVE_MEGABYTES }, ({ key }) =>
    post('/upload', key, JSON.stringify({ content_base64: FIVE_MEGABYTES })),
  ),
  uploading('make a PDF of two pages', { name: 'Report.pdf', content: REPORT }),
  mixed(1),
  mixed(16),
  mixed(64),
]
