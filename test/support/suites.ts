/**
 * Which files each command runs. `npm run test:all` runs everything; the lists here say what `npm test` (`usual`) and
 * `npm run test:quick` take. Both also leave out single tests that carry the tag `long`.
 */
const SUITES = ['quick', 'usual', 'all'] as const

/** Without a name everything is there, so that any file can be run by itself: `npx vitest run test/process/mail.test.ts`. */
const SUITE = SUITES.find(name => name === process.env.SUITE)

/** Whether there is time for many rounds, and for what is long. */
export const HAS_TIME = SUITE === undefined || SUITE === 'all'

/** Of the app over HTTP: who may call, and one file for each kind of record. */
const QUICK = [
  'test/api/{account,authentication,comments,company-tasks,conditional-races,daily-quota,discussions,etag,folders}.test.ts',
  'test/api/{idempotency,members,projects,task-actions,task-batches,task-lists,tasks,updated-at}.test.ts',
  'test/admin/{changes,get-catalog,keys,project-members,tokens,trash,users,webhooks}.test.ts',
  'test/client/{calls,errors,webhooks}.test.ts',
  'test/mcp/tools.test.ts',
]

/** The same, and long. */
const LONG_ON_BOTH_ENGINES = ['test/api/{rows-read,search-name}.test.ts']

/** The files that run on both engines in `npm test` and in `npm run test:all`: there SQL behaves otherwise on each of them. */
const ON_BOTH_ENGINES = [
  // Locks and concurrency: the embedded engine has one connection, on which nothing runs at the same time.
  'test/api/*-under-concurrency.test.ts',
  'test/api/{conditional-races,writes-together,idempotency,daily-quota,task-batches}.test.ts',
  'test/admin/{session-races,work-races,key-rotation,counts}.test.ts',
  'test/mcp/oauth.test.ts',
  // Plans and pages: the planner decides what is read, and in which order.
  'test/api/{statements-of-reads,statements-of-writes,cursors,search-spelling,company-tasks}.test.ts',
  // Types, collations, zones, and what triggers write.
  'test/api/{dates,event-times,hijri,updated-at,changes}.test.ts',
  'test/admin/{lists,schema}.test.ts',
  // The feed and the jobs, which listen on connections of their own.
  'test/api/change-streams.test.ts',
  'test/admin/{jobs,feed-lag}.test.ts',
]

/** Every view in one look, and one walk from the first key to the last. */
const CONSOLE = ['test/console/{views,flow}.test.ts']

/** That a process starts, serves, survives being killed, and stops; and what the command line does at all. */
const PROCESSES = ['test/process/{start,stop,durability,health,command-line}.test.ts']

/** Files that are long as a whole, and therefore left to `npm run test:all`. */
const LONG = [
  // What is true at size.
  'test/api/{at-size,company-tasks-at-size,prepared-statements,told-in-steps,deleted-folders}.test.ts',
  'test/admin/{companies-at-size,company-removal,idle-webhooks,retention,upkeep}.test.ts',
  // Every endpoint with every field. What they prove of one endpoint is proved of it elsewhere.
  'test/api/{long-refusals,company-tasks-model}.test.ts',
  // What waits for limits to pass.
  'test/api/{pdf-uploads,many-streams,jobs-in-turn,hanging-jobs}.test.ts',
  // The planner decides what is read, and the engine which characters are the same.
  ...LONG_ON_BOTH_ENGINES,
  // `npm run check` runs these two: they analyse every pattern, and compile the sources several times.
  'test/structure/{patterns,adding}.test.ts',
  // The client as npm packs and installs it.
  'test/client/package.test.ts',
  // What waits for limits to pass.
  'test/adapters/hostile-hosts.test.ts',
]

/** Units that try millions of values, which `npm run test:quick` has no time for. */
const MANY_VALUES =
  'test/units/{linear-time,event-times,archive,backup-archive,dates,zoned-time,icalendar,markdown-to-typst,credentials}.test.ts'

const PURE = ['test/{units,structure}/**/*.test.ts']
const ADAPTERS = ['test/adapters/**/*.test.ts']
const OVER_HTTP = ['test/{api,admin,mcp}/**/*.test.ts']
/** The client is the same whatever the server keeps its records in. */
const CLIENT = 'test/client/**/*.test.ts'
const EMBEDDED = [...OVER_HTTP, CLIENT]

export type Group = 'pure' | 'adapters' | 'embedded' | 'postgres' | 'console' | 'process'

const EVERYTHING = {
  pure: PURE,
  adapters: ADAPTERS,
  embedded: EMBEDDED,
  postgres: OVER_HTTP,
  console: ['test/console/**/*.test.ts'],
  process: ['test/process/**/*.test.ts'],
}

/** The files of each group; a group without files takes no part. */
export function filesOf(hasPostgres: boolean): Partial<Record<Group, string[]>> {
  if (SUITE === 'quick') return { pure: PURE, embedded: QUICK }
  if (SUITE === 'usual') return { ...EVERYTHING, postgres: ON_BOTH_ENGINES, console: CONSOLE, process: PROCESSES }
  // `npm test` has run the others on the embedded engine.
  return SUITE === 'all' && hasPostgres
    ? { ...EVERYTHING, embedded: [...ON_BOTH_ENGINES, ...LONG_ON_BOTH_ENGINES, ...QUICK, CLIENT] }
    : EVERYTHING
}

/** What is taken out of the files of every group again. */
export const LEFT_OUT = { quick: [...LONG, MANY_VALUES], usual: LONG, all: [] }[SUITE ?? 'all']

/** What the line at the end of a run says. */
export const WHAT_IS_LEFT = {
  quick:
    'Left out: most of the API, the adapters, PostgreSQL, the console, processes and all long tests. `npm test` runs the most of it, `npm run test:all` everything.',
  usual:
    'Left out: the long tests, most API files on PostgreSQL, most of the console and of the processes. `npm run test:all` runs everything.',
  all: undefined,
}[SUITE ?? 'all']
