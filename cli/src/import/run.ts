import type { Diwan } from '../../../client/src/index.ts'
import { Failure, UsageError } from '../frame/command.ts'
import { api } from '../remote/server.ts'
import { readAllowance } from './allowance.ts'
import { type Checked, check } from './check.ts'
import { createLists, listsByTitle } from './lists.ts'
import { createPeople, type People } from './people.ts'
import { createProgress } from './progress.ts'
import { openRejects } from './rejects.ts'
import { printProblems, printReport, type Report } from './report.ts'
import { connectPatiently, explainEnd, Stopped } from './server.ts'
import { kept, readSettings, type Settings, type Typed } from './settings.ts'
import { hasTimeTracking, readTimeEntries, type SpentHours } from './spent-time.ts'
import { loadState, newState, requireSame, saveState } from './state.ts'
import { type Writing, watchFile, writeTasks } from './write.ts'
import type { Written } from './write-rows.ts'

interface How extends Typed {
  'dry-run': boolean | undefined
  'time-entries': string | undefined
  again: boolean | undefined
  json: boolean | undefined
  url: string | undefined
}

/** FILE is read twice: first everything is checked, then it is written. */
export async function importFile(file: string, how: How): Promise<void> {
  const typed = readSettings(file, how)
  const spentHours = await readEntries(typed, how['time-entries'])
  const remote = api(how.url)
  const stop = stopSignal()
  let last: Headers | undefined
  const diwan = connectPatiently(remote, stop, headers => {
    last = headers
  })
  const requireUnchanged = await watchFile(file)
  try {
    const project = await diwan.projects.get(typed.project)
    const settings = await withTime(diwan, { ...typed, spentHours })
    const members = await diwan.projects.members(project.id)
    const stored = how['dry-run'] || how.again ? undefined : await loadState(file)
    const people = createPeople(members)
    const checked = await checkFile(settings, people, settings.skipBad && !how['dry-run'] && !stored)
    const report = (more: Partial<Report>) => printReport(settings, reportOf(checked, people, more), how.json ?? false)

    if (how['dry-run']) {
      const existing = await listsByTitle(diwan, project.id)
      report({
        dry_run: true,
        problems: checked.problems,
        new_lists: [...checked.lists.keys()].filter(title => !existing.has(title)),
        ...(last && readAllowance(last)),
      })
      if (checked.bad > 0 && !settings.skipBad) process.exitCode = 1
      return
    }
    const options = kept(typed, project.id)
    const resumed = checked.hasIds ? undefined : stored
    if (resumed) requireSame(resumed, checked.digest, options)
    else refuseBadRows(settings, checked)
    if (resumed && resumed.finishedAt !== null) {
      report({ finished_before: resumed.finishedAt })
      return
    }
    const state = checked.hasIds ? undefined : (resumed ?? newState({ digest: checked.digest, options }))
    const lists = createLists(diwan, project.id, [...checked.lists.keys()])
    const written = await write({ diwan, settings, people, lists, state, stop, requireUnchanged }, checked)
    report({ ...written, new_lists: lists.created })
  } catch (error) {
    throw explainEnd(error, last)
  }
}

async function readEntries({ format, map }: Settings, file: string | undefined): Promise<SpentHours | undefined> {
  if (file === undefined) return undefined
  if (format !== 'redmine') throw new UsageError('--time-entries is for --format redmine')
  if (map.external_id === '')
    throw new UsageError('--time-entries finds issues by their numbers: leave out --map external_id=')
  return readTimeEntries(file)
}

/** Without time tracking in the plan, the time spent goes where everything goes that a task has no field for. */
async function withTime(diwan: Diwan, settings: Settings): Promise<Settings> {
  const { format, map, spentHours } = settings
  const mayHaveTime = format === 'redmine' ? map.time !== '' || spentHours !== undefined : Boolean(map.time)
  if (!mayHaveTime || (await hasTimeTracking(diwan))) return settings
  if (spentHours !== undefined)
    throw new Failure('The plan of the company does not include time tracking: leave out --time-entries')
  return { ...settings, map: { ...map, time: '' } }
}

/** The first Ctrl-C waits for the batch in flight; the second does not. */
function stopSignal(): AbortSignal {
  const abort = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort())
  return abort.signal
}

async function checkFile(settings: Settings, people: People, keepsRejects: boolean): Promise<Checked> {
  if (!keepsRejects) return check(settings, people)
  const rejects = await openRejects(settings.file)
  try {
    const checked = await check(settings, people, rejects)
    await rejects.keep()
    return checked
  } catch (error) {
    await rejects.discard()
    throw error
  }
}

function refuseBadRows({ file, skipBad }: Settings, { bad, problems }: Checked): void {
  if (bad === 0 || skipBad) return
  printProblems(problems, bad)
  throw new Failure(
    `Nothing was imported because ${bad === 1 ? 'one row' : `${bad} rows`} of ${file} cannot be imported. Correct the file, or use --skip-bad to leave out such rows`,
  )
}

async function write(writing: Omit<Writing, 'onProgress'>, { tasks }: Checked): Promise<Written> {
  const { settings, state, stop } = writing
  // Before anything is sent: a resumed import has to know the names that were used.
  if (state) await saveState(settings.file, state)
  if (stop.aborted) throw new Stopped()
  const progress = createProgress(tasks, state?.done.tasks ?? 0)
  try {
    return await writeTasks({ ...writing, onProgress: progress.update })
  } finally {
    progress.end(stop.aborted)
  }
}

function reportOf(checked: Checked, people: People, more: Partial<Report>): Report {
  const { tasks, completed, timed, bad, lists, hasIds } = checked
  return {
    dry_run: false,
    tasks,
    completed,
    timed,
    created: 0,
    changed: 0,
    has_ids: hasIds,
    rejected: bad,
    problems: [],
    lists: [...lists].map(([title, count]) => ({ title, tasks: count })),
    new_lists: [],
    unknown_people: people.unknown(),
    finished_before: null,
    calls_left: null,
    resets_at: null,
    ...more,
  }
}
