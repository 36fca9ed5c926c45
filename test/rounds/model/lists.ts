import { expect } from 'vitest'
import { type Act, at, frozen, type List, lists, type Project, remove, settle, taken } from './state.ts'

export const addressOfList = ({ project, list }: { project: Project; list: List }, isNested: boolean) =>
  isNested ? `/projects/${project.id}/lists/${list.id}` : `/lists/${list.id}`

const all = (model: Parameters<typeof lists>[0]) => lists(model).map(({ list }) => list)

export const ON_LISTS: Record<string, Act> = {
  async createTaskList(model, api, { n, text: title, external_id: id, isNested }) {
    const project = at(model.projects, n)
    if (!project) return
    const external_id = isNested ? id : null
    const answer = await api.post(`/projects/${project.id}/lists`, { title, external_id })
    settle(answer, frozen(project) ?? taken(all(model), external_id), 201, () =>
      project.lists.push({ id: answer.body.data.id, title, external_id, tasks: [], comments: [] }),
    )
  },

  async updateTaskList(model, api, { n, text: title, isNested }) {
    const found = at(lists(model), n)
    if (!found) return
    const answer = await api.patch(addressOfList(found, isNested), { title })
    settle(answer, frozen(found.project), 200, () => {
      found.list.title = title
    })
  },

  async deleteTaskList(model, api, { n, isNested }) {
    const found = at(lists(model), n)
    if (!found) return
    const answer = await api.delete(addressOfList(found, isNested))
    settle(answer, frozen(found.project), 200, () => {
      expect(answer.body.data.deleted_tasks).toBe(found.list.tasks.length)
      remove(found.project.lists, found.list)
    })
  },

  async upsertTaskList(model, api, { n, external_id, text: title }) {
    const project = at(model.projects, n)
    if (!project) return
    const known = lists(model).find(({ list }) => list.external_id === external_id)
    const answer = await api.put(`/projects/${project.id}/lists/ext:${external_id}`, { title })
    settle(answer, frozen(project, ...(known ? [known.project] : [])), known ? 200 : 201, () => {
      if (known) known.list.title = title
      else project.lists.push({ id: answer.body.data.id, title, external_id, tasks: [], comments: [] })
    })
  },
}
