import { created, type Diwan } from './diwan.ts'
import { newComment, newDiscussion, newList, newTask } from './factories.ts'
import { furnish } from './furnished.ts'

/** A company with one of everything that an address of either API can name, and a function that fills in these names. */
export async function furnishEveryRecord(diwan: Diwan) {
  const { company, person, named } = await furnish(diwan)
  const project = named.project as string
  /** What another system calls each of them. */
  const elsewhere = { external_id: 'crm-77' }
  await company.api.patch(`/projects/${project}`, elsewhere)
  const list = await newList(company, project, elsewhere)
  const task = await newTask(company, list.id, elsewhere)
  const discussion = await newDiscussion(company, project, elsewhere)
  const folder = await created(company.api.post(`/projects/${project}/folders`, { name: 'Plans' }))
  const link = await created(
    company.api.post(`/projects/${project}/links`, { name: 'Plan', external_url: 'https://example.com/plan' }),
  )
  const event = await created(
    company.api.post('/events', { name: 'Visit', starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' }),
  )
  const commentOn = async (address: string) => String((await newComment(company, address)).id)
  /** The comment on each record that has one, by the record's parameter name in addresses. */
  const commentBelow: Record<string, string> = {
    list: await commentOn(`/lists/${list.id}`),
    task: await commentOn(`/tasks/${task.id}`),
    discussion: await commentOn(`/discussions/${discussion.id}`),
  }
  const names: Record<string, string> = {
    ...named,
    list: list.id,
    task: task.id,
    discussion: discussion.id,
    folder: String(folder.data.id),
    file: link.data.ref,
    event: String(event.data.id),
    ...elsewhere,
  }

  /** `/tasks/:task` becomes `/tasks/tsk-…`. */
  function fill(address: string): string {
    const commented = address.replace(/:(\w+)\/comments\/:comment/, (_, on) => `:${on}/comments/${commentBelow[on]}`)
    return commented.replace(/:(\w+)/g, (_, name) => names[name] ?? `missing-${name}`)
  }
  return { company, person, names, commentBelow, fill }
}
