import type { RecordedChange } from '../../api/types.ts'
import type { WorkAddresses } from '../records/addresses.ts'

/** Where the record of a change is shown; undefined if it is gone. A comment is shown with its parent. */
export function addressOfChanged(
  { record, project, parent_id }: Pick<RecordedChange, 'record' | 'project' | 'parent_id'>,
  addresses: WorkAddresses,
): string | undefined {
  const { type, id, title } = record
  if (title === null) return undefined
  if (type === 'project') return addresses.project(id)
  if (type === 'task') return addresses.task(id)
  if (!project) return undefined
  if (type === 'task_list') return addresses.list(project.id, id)
  if (type === 'discussion') return addresses.discussion(project.id, id)
  if (type === 'folder') return addresses.files(project.id, id)
  if (type === 'file') return addresses.file(project.id, id)
  const about = String(parent_id)
  if (about.startsWith('tsk-')) return addresses.task(about)
  if (about.startsWith('lst-')) return addresses.list(project.id, about)
  return addresses.discussion(project.id, about)
}
