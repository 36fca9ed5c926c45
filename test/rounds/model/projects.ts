import { expect } from 'vitest'
import { type Act, at, frozen, type Project, settle, taken } from './state.ts'

const MOST = 4

const empty = () => ({ archived: false, lists: [], discussions: [], folders: [], files: [] })

const archiving =
  (action: 'archive' | 'unarchive'): Act =>
  async ({ projects }, api, { n }) => {
    const project = at(projects, n)
    if (!project) return
    const { status, body } = await api.post(`/projects/${project.id}/${action}`)
    project.archived = action === 'archive'
    expect([status, body.data.archived]).toEqual([200, project.archived])
  }

export const ON_PROJECTS: Record<string, Act> = {
  async createProject({ projects }, api, { text: name, external_id: id, isNested, isOther: is_public }) {
    if (projects.length >= MOST) return
    const external_id = isNested ? id : null
    const answer = await api.post('/projects', { name, is_public, external_id })
    settle(answer, taken(projects, external_id), 201, () =>
      projects.push({ id: answer.body.data.id, name, is_public, external_id, ...empty() }),
    )
  },

  async updateProject({ projects }, api, { n, text: name, isOther: is_public }) {
    const project = at(projects, n)
    if (!project) return
    const answer = await api.patch(`/projects/${project.id}`, { name, is_public })
    settle(answer, frozen(project), 200, () => Object.assign(project, { name, is_public }))
  },

  async deleteProject(model, api, { n }) {
    const project = at(model.projects, n)
    if (!project) return
    settle(await api.delete(`/projects/${project.id}`), frozen(project), 200, () => {
      model.projects = model.projects.filter(each => each !== project)
    })
  },

  async upsertProject({ projects }, api, { external_id, text: name }) {
    const known = projects.find(project => project.external_id === external_id)
    if (!known && projects.length >= MOST) return
    const answer = await api.put(`/projects/ext:${external_id}`, { name })
    settle(answer, known && frozen(known), known ? 200 : 201, () => {
      if (known) known.name = name
      else projects.push({ id: answer.body.data.id, name, is_public: true, external_id, ...empty() } satisfies Project)
    })
  },

  archiveProject: archiving('archive'),
  unarchiveProject: archiving('unarchive'),
}
