import { readdirSync, readFileSync } from 'node:fs'

/** The commands, and which files each runs. A test with the tag `long` runs in `all` only. */
const SUITES = {
  quick: 'npm run test:quick',
  usual: 'npm test',
  parts: 'npm run test:parts',
  all: 'npm run test:all',
}

/** Without a name everything is there, so that any file can be run by itself: `npx vitest run test/process/mail.test.ts`. */
const SUITE = (Object.keys(SUITES) as (keyof typeof SUITES)[]).find(name => name === process.env.SUITE)

/** Whether there is time for many rounds, and for what is long. */
export const HAS_TIME = SUITE === undefined || SUITE === 'all'

const PURE = testsIn('units', 'structure')
const ADAPTERS = testsIn('adapters')
const OVER_HTTP = testsIn('contract', 'api', 'admin', 'mcp', 'cli', 'client')
const CONSOLE = testsIn('console')
const PROCESS = testsIn('process')

/** The app over HTTP: who may call, and one file for each kind of record. */
const QUICK = [
  'test/contract/{access,frozen,writes}.test.ts',
  'test/api/{authentication,comments,company-tasks,conditional,daily-quota,discussions,folders}.test.ts',
  'test/api/{idempotency,members,projects,task-batches,task-lists,tasks,updated-at}.test.ts',
  'test/admin/{changes,get-catalog,keys,project-members,tokens,trash,users,webhooks}.test.ts',
  'test/client/{calls,errors,webhooks}.test.ts',
  'test/mcp/tools.test.ts',
]

/** Units that try millions of values. */
const MANY_VALUES =
  'test/units/{linear-time,event-times,archive,backup-archive,dates,zoned-time,icalendar,markdown-to-typst,credentials}.test.ts'

/** The files that run on PostgreSQL too: there the engines differ. */
const ON_BOTH_ENGINES = [
  // Locks and concurrency: the embedded engine has one connection, on which nothing runs at the same time.
  'test/api/*-under-concurrency.test.ts',
  'test/api/{conditional,writes-together,idempotency,daily-quota,task-batches}.test.ts',
  'test/admin/{races,keys,counts}.test.ts',
  'test/mcp/oauth.test.ts',
  // Plans and pages: the planner decides what is read, and in which order.
  'test/api/{statements-of-reads,statements-of-writes,cursors,search,company-tasks,rows-read,search-name}.test.ts',
  // Types, collations, zones, and what triggers write.
  'test/api/{dates,updated-at,changes}.test.ts',
  'test/admin/catalog.test.ts',
  // The feed and the jobs, which listen on connections of their own.
  'test/api/change-streams.test.ts',
  'test/admin/{jobs,feed-lag}.test.ts',
]

/** The first promise: a server that is killed loses nothing that it acknowledged. */
const FIRST_PROCESSES = ['test/process/durability.test.ts']

export type Group = 'pure' | 'adapters' | 'embedded' | 'postgres' | 'console' | 'process'

/** The files of each group; a group without files takes no part. */
export function filesOf(): Partial<Record<Group, string[]>> {
  switch (SUITE) {
    case 'quick':
      return { pure: PURE, embedded: QUICK }
    case 'usual':
      return {
        pure: PURE,
        adapters: ADAPTERS,
        embedded: OVER_HTTP,
        postgres: ON_BOTH_ENGINES,
        process: FIRST_PROCESSES,
      }
    case 'parts':
      return {
        adapters: thatAsk(ADAPTERS),
        embedded: thatAsk(OVER_HTTP),
        postgres: ON_BOTH_ENGINES,
        console: CONSOLE,
        process: PROCESS,
      }
    default:
      return {
        pure: PURE,
        adapters: ADAPTERS,
        embedded: OVER_HTTP,
        // By its name, any file over HTTP can be run on PostgreSQL.
        postgres: SUITE === 'all' ? ON_BOTH_ENGINES : OVER_HTTP,
        console: CONSOLE,
        process: PROCESS,
      }
  }
}

/** The files that ask for a program: a bare machine skips them in part. */
function thatAsk(files: string[]): string[] {
  return files.filter(file => readFileSync(file, 'utf8').includes('/describe-with.ts'))
}

function testsIn(...folders: string[]): string[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.test.ts') && folders.some(folder => file.startsWith(`${folder}/`)))
    .map(file => `test/${file}`)
}

export const LEFT_OUT = SUITE === 'quick' ? [MANY_VALUES] : []

/** The end of the sentence on what was not tested. */
export const LEFT_TO_OTHERS = {
  quick: `most of the API and all that waits for other programs, which \`${SUITES.usual}\` and \`${SUITES.parts}\` run`,
  usual: `the console and whole processes, which \`${SUITES.parts}\` runs, and long tests, which \`${SUITES.all}\` runs`,
  parts: `what \`${SUITES.usual}\` and \`${SUITES.all}\` run`,
  all: undefined,
}[SUITE ?? 'all']
