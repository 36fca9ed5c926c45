import sql from 'sql-template-tag'
import type { Db } from '../db/db.ts'
import { type JobPayloads, type JobQueue, NotYet } from '../domain/ports/job-queue.ts'
import { removeAll } from './remove-all.ts'

/** How many rows one statement removes: it takes milliseconds, however much there is to remove. */
const AT_ONCE = 500

type Parts = { db: Db; jobs: Pick<JobQueue, 'enqueue'> }

/**
 * Removes a deleted folder, those below it and all their files, in small steps: nobody sees them any more, and nobody should
 * have to wait for them. A completed step stays done: after a kill, or when the time of a job is up, the next worker continues
 * from there.
 */
export async function removeFolder(
  { db, jobs }: Parts,
  { company_id, folder_id }: JobPayloads['remove-folder'],
  signal: AbortSignal,
): Promise<NotYet | undefined> {
  const own = db.onBehalfOf(company_id)
  const folders = await foldersIn(own, company_id, folder_id)
  // From the bottom up, so that no folder goes before what is in it.
  for (let end = folders.length; end > 0; end -= AT_ONCE) {
    const some = folders.slice(Math.max(0, end - AT_ONCE), end)
    const removeFiles = () => removeSomeFiles({ db: own, jobs }, company_id, some)
    const removeFolders = () => removeEmpty(own, company_id, some)
    for (const removeSome of [removeFiles, removeFolders])
      if (!(await removeAll(removeSome, signal))) return new NotYet(0)
  }
  // If another worker was given the same job, each may have left to the other what it was removing.
  const left = await own.maybe(sql`select id from folders where company_id = ${company_id} and id = ${folder_id}`)
  return left ? new NotYet(1) : undefined
}

interface Folder {
  id: number
  project_id: number
}

/** The deleted folder and all below it, the topmost first. */
function foldersIn(db: Db, companyId: number, folderId: number): Promise<Folder[]> {
  return db.many<Folder>(sql`
    with recursive tree (id, project_id, depth) as (
      select id, project_id, 1 from folders
      where company_id = ${companyId} and id = ${folderId} and deleted_at is not null
      union all
      select f.id, f.project_id, tree.depth + 1 from folders f
      join tree on f.company_id = ${companyId} and f.project_id = tree.project_id and f.parent_folder_id = tree.id
    )
    select id, project_id from tree order by depth, id`)
}

/** The condition that a row belongs to the project of some folders. All folders of a tree are in one. */
const ofProject = (companyId: number, [folder]: Folder[]) =>
  sql`company_id = ${companyId} and project_id = ${folder?.project_id ?? null}`
const idsOf = (folders: Folder[]) => folders.map(({ id }) => id)

/** Removes some of the files, and has their bytes removed. Returns whether there was anything to remove. */
function removeSomeFiles({ db, jobs }: Parts, companyId: number, folders: Folder[]): Promise<boolean> {
  return db.transaction(async tx => {
    const removed = await tx.many<{ digest: string | null }>(sql`
      delete from files where company_id = ${companyId} and id in (
        select id from files where ${ofProject(companyId, folders)} and folder_id = any(${idsOf(folders)}::bigint[])
        limit ${AT_ONCE} for update skip locked)
      returning digest`)
    const digests = new Set(removed.map(({ digest }) => digest).filter(digest => digest !== null))
    await jobs.enqueue(
      tx,
      'remove-bytes',
      [...digests].map(digest => ({ company_id: companyId, digest })),
    )
    return removed.length > 0
  })
}

/** Removes those of the folders that are empty. Returns whether there were any: then those above them may be empty now. */
async function removeEmpty(db: Db, companyId: number, folders: Folder[]): Promise<boolean> {
  const removed = await db.run(sql`
    delete from folders f where f.company_id = ${companyId} and f.id = any(${idsOf(folders)}::bigint[])
      and not exists (select from files where ${ofProject(companyId, folders)} and folder_id = f.id)
      and not exists (select from folders where ${ofProject(companyId, folders)} and parent_folder_id = f.id)`)
  return removed > 0
}
