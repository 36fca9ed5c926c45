import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CompanyReader } from '../../../src/company-reader.ts'
import type { RECORDS, RecordKind } from '../../../src/domain/records/records.ts'
import { Failure } from '../frame/command.ts'
import type { ProgressLine } from '../frame/progress.ts'
import { openLines } from './lines.ts'

type Shown = Record<string, unknown>

/** How many records of each kind there are. */
export type Counts = Record<string, number>

interface Level {
  folders: (Shown & { id: number })[]
  files: Shown[]
}

/**
 * Writes every record that the API shows of a company, in an order that depends on the records alone. If a record does not say
 * what it belongs to, its line begins with that.
 */
export async function writeRecords(reader: CompanyReader, companyId: number, folder: string, progress: ProgressLine) {
  const company = await reader.show<Shown>(`/admin/companies/${companyId}`)
  if (!company) throw new Failure(`There is no company ${companyId}`)
  // These two change with the clock, and two exports of the same records must be the same.
  const { calls_today, keys_count, ...settled } = company
  await writeFile(join(folder, 'company.json'), `${JSON.stringify(settled, null, 2)}\n`, { flush: true })
  const counts: Counts = {}
  for (const [kind, records] of Object.entries(recordsOf(reader, companyId, await listProjects(reader)))) {
    const lines = await openLines(join(folder, `${kind}.jsonl`))
    for await (const record of records) {
      const written = await lines.add(record)
      progress.show(() => `Exporting ${named(kind)}: ${written.toLocaleString('en')}`)
    }
    counts[kind] = await lines.close()
  }
  return { name: String(company.name), counts }
}

/** A kind in words. */
export function named(kind: string): string {
  return kind.replace('_', ' ')
}

type Exported = (typeof RECORDS)[RecordKind]['table'] | 'members' | 'project_members'

/** Everything that is exported, by the name of its file. The compiler asks for every kind of record. */
function recordsOf(
  reader: CompanyReader,
  companyId: number,
  projects: Project[],
): Record<Exported, AsyncIterable<object>> {
  const ofEach = (inside: (project: string) => AsyncIterable<Shown>) => ofProjects(projects, inside)
  return {
    members: listed(reader, `/admin/companies/${companyId}/users`),
    projects: shown(reader, projects),
    project_members: ofPrivateProjects(reader, projects),
    task_lists: ofEach(project_id => listed(reader, `/projects/${project_id}/lists`)),
    tasks: ofEach(project_id => tasks(reader, project_id)),
    discussions: ofEach(project_id => belonging({ project_id }, listed(reader, `/projects/${project_id}/discussions`))),
    comments: comments(reader),
    events: events(reader),
    folders: ofEach(project_id => belonging({ project_id }, levels(reader, project_id, 'folders'))),
    files: ofEach(project_id => belonging({ project_id }, levels(reader, project_id, 'files'))),
  }
}

async function* listed(reader: CompanyReader, address: string, query = {}): AsyncGenerator<Shown> {
  for await (const page of reader.pages<Shown[]>(address, query)) yield* page
}

async function* belonging(to: Shown, records: AsyncIterable<Shown>): AsyncGenerator<Shown> {
  for await (const record of records) yield { ...to, ...record }
}

/** What is kept in memory for each project: there are not so many. */
interface Project {
  id: string
  is_public: boolean
}

/** Includes archived ones. */
async function listProjects(reader: CompanyReader): Promise<Project[]> {
  const projects: Project[] = []
  for await (const page of reader.pages<Project[]>('/projects', { include_archived: 'true' }))
    projects.push(...page.map(({ id, is_public }) => ({ id, is_public })))
  return projects
}

/** A list shows less of a project than the project itself. */
async function* shown(reader: CompanyReader, projects: Project[]): AsyncGenerator<Shown> {
  for (const { id } of projects) {
    const project = await reader.show<Shown>(`/projects/${id}`)
    if (project) yield project
  }
}

async function* ofProjects(projects: Project[], inside: (id: string) => AsyncIterable<Shown>): AsyncGenerator<Shown> {
  for (const { id } of projects) yield* inside(id)
}

/** Everybody is a member of a public project. */
async function* ofPrivateProjects(reader: CompanyReader, projects: Project[]): AsyncGenerator<Shown> {
  for (const { id } of projects.filter(({ is_public }) => !is_public))
    for (const member of (await reader.show<Shown[]>(`/projects/${id}/members`)) ?? [])
      yield { project_id: id, ...member }
}

/** List by list: a page of all tasks of a company costs more than a page of one list. */
async function* tasks(reader: CompanyReader, project: string): AsyncGenerator<Shown> {
  for await (const { id, tasks_count } of listed(reader, `/projects/${project}/lists`))
    if (tasks_count !== 0) yield* listed(reader, `/lists/${id}/tasks`)
}

async function* comments(reader: CompanyReader): AsyncGenerator<Shown> {
  for await (const { ref, address } of reader.commented())
    yield* belonging({ parent_id: ref }, listed(reader, `${address}/comments`))
}

async function* events(reader: CompanyReader): AsyncGenerator<Shown> {
  for await (const { id, organizer_id } of reader.events()) {
    const event = await reader.show<Shown>(`/events/${id}`, organizer_id)
    if (event) yield event
  }
}

/** The folders or files of a project, level by level from the root. */
async function* levels(reader: CompanyReader, project: string, what: keyof Level): AsyncGenerator<Shown> {
  const waiting: (number | undefined)[] = [undefined]
  for (const folder of waiting) {
    let isFirst = true
    const query: Record<string, string> = folder === undefined ? {} : { folder_id: String(folder) }
    for await (const level of reader.pages<Level>(`/projects/${project}/files`, query)) {
      // Each page of files repeats all the folders.
      if (isFirst) waiting.push(...level.folders.map(({ id }) => id))
      if (what === 'files' || isFirst) yield* level[what]
      isFirst = false
    }
  }
}
