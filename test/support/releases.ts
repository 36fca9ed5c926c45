import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { noticedChanges } from '../../build/noticed-changes.ts'
import { CONTRACT_VERSION } from '../../src/contract-version.ts'
import { REQUIRE_ALL } from './parts.ts'
import { newFolder } from './server-process.ts'

/** A release that was built. */
export interface Release {
  name: string
  folder: string
  /** What `node` is started with. */
  main: string
}

const FIRST_RELEASE = '1.7.0'
const CACHE = resolve('node_modules/.cache/releases')

const inFolder = (name: string, folder: string): Release => ({ name, folder, main: join(folder, 'dist/main.js') })

/**
 * The release before this one: that of the newest tag behind HEAD. Where there is none, the present code stands in for it, which
 * the release after it is then compared with all the same.
 */
export function previousRelease(): Release {
  const tag = newestTag()
  if (tag) return inFolder(tag, built(tag))
  if (REQUIRE_ALL && CONTRACT_VERSION !== FIRST_RELEASE)
    throw new Error('REQUIRE_ALL=1, but no tag of an earlier release is here: git fetch --tags --unshallow')
  console.log('No tag of an earlier release: the present code is taken as the release before')
  return inFolder('the present code', resolve('.'))
}

function newestTag(): string | undefined {
  try {
    const args = ['tag', '--list', 'v*.*.*', '--merged', 'HEAD', '--no-contains', 'HEAD', '--sort=-version:refname']
    return git(...args).split('\n')[0] || undefined
  } catch {
    // Not a clone: somebody has unpacked an archive.
    return undefined
  }
}

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** Built once, and kept until another release is the one before. */
function built(tag: string): string {
  const folder = join(CACHE, git('rev-parse', `${tag}^{commit}`).trim())
  if (existsSync(folder)) return folder
  rmSync(CACHE, { recursive: true, force: true })
  mkdirSync(CACHE, { recursive: true })
  const draft = mkdtempSync(join(CACHE, 'draft-'))
  execFileSync('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', tag, draft])
  if (dependenciesIn(draft) === dependenciesIn('.')) symlinkSync(resolve('node_modules'), join(draft, 'node_modules'))
  else execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: draft, stdio: 'ignore' })
  execFileSync(process.execPath, ['build/build.js'], { cwd: draft, stdio: 'ignore' })
  renameSync(draft, folder)
  return folder
}

/** What is installed there. The packages of the project itself are left out: their version is another in each release. */
function dependenciesIn(folder: string): string {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  return JSON.stringify(Object.entries(packages).filter(([path]) => path.startsWith('node_modules/')))
}

export const migrationsOf = ({ folder }: Release) => {
  const place = join(folder, 'dist/src/db/migrations')
  return new Map(
    readdirSync(place)
      .sort()
      .map(name => [name, readFileSync(join(place, name), 'utf8')]),
  )
}

/** The present code with more migrations. */
export function releaseWith(name: string, migrations: Record<string, string>): Release {
  const folder = newFolder()
  cpSync('dist', join(folder, 'dist'), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  for (const [file, text] of Object.entries(migrations))
    writeFileSync(join(folder, 'dist/src/db/migrations', file), text)
  return inFolder(name, folder)
}

/** The triggers of tasks notice one column more, and the feed names it. */
const [fields, trigger] = ['function changed_task_fields', 'trigger tasks_record_changed'].map(
  what =>
    new RegExp(`^create or replace ${what}\\b.*?;\\n`, 'ms').exec(noticedChanges([]).get('task') ?? '')?.[0] as string,
) as [string, string]

/** What is done to a table beside the columns that it gets. */
const MORE: Record<string, string> = {
  tasks: `alter table tasks add constraint tasks_next_note check (length(next_note) < 100) not valid;
alter table tasks validate constraint tasks_next_note;
${fields.replace('array[', `array[case when (new).next_note is distinct from (old).next_note then 'next_note' end,`)}
${trigger.replace('(old.', '(old.next_note, old.').replace('(new.', '(new.next_note, new.')}`,
}

const tables = [...readFileSync('src/db/schema.sql', 'utf8').matchAll(/^CREATE TABLE (\w+)/gm)].map(
  ([, name]) => name as string,
)

const columnsOf = (table: string): [string, string] => [
  `next_${table}`,
  `alter table ${table} add column next_note text, add column next_flag boolean not null default false;
${MORE[table] ?? ''}`,
]

const expansions: [string, string][] = [
  columnsOf('tasks'),
  ...tables.filter(table => table !== 'tasks').map(columnsOf),
  [
    'next_labels',
    `create table next_labels (
  company_id bigint not null references companies, id bigint generated always as identity, name text not null,
  primary key (company_id, id));
create index next_labels_name on next_labels (company_id, name);
`,
  ],
  [
    'next_index',
    `-- outside a transaction
drop index concurrently if exists tasks_by_next_note;
create index concurrently tasks_by_next_note on tasks (company_id, next_note);
`,
  ],
]

/**
 * As much as a release may do: columns in every table, triggers and a function that are replaced, a table, and an index. One
 * file for each table, that of tasks first.
 */
export const EXPANSIONS = Object.fromEntries(expansions.map(([name, text], n) => [`${9001 + n}_${name}.sql`, text]))
