import type { RecordedChange } from '../../api/types.ts'
import type { WorkAddresses } from '../work/addresses.ts'

/** Where the record of a change is shown; undefined for what is gone. */
export function addressOfChanged({ record, project }: RecordedChange, addresses: WorkAddresses): string | undefined {
  const { type, id, title } = record
  if (title === null) return undefined
  if (type === 'project') return addresses.project(id)
  if (type === 'task') return addresses.task(id)
  if (!project) return undefined
  if (type === 'task_list') return addresses.list(project.id, id)
  if (type === 'discussion') return addresses.discussion(project.id, id)
  if (type === 'folder') return addresses.files(project.id, id)
  if (type === 'file') return addresses.file(project.id, id)
}
