import { type Act, at, type Discussion, discussions, frozen, type Project, remove, settle, taken } from './state.ts'

export const addressOfDiscussion = (
  { project, discussion }: { project: Project; discussion: Discussion },
  isNested: boolean,
) => (isNested ? `/projects/${project.id}/discussions/${discussion.id}` : `/discussions/${discussion.id}`)

export const ON_DISCUSSIONS: Record<string, Act> = {
  async createDiscussion(model, api, { n, text: title, external_id: id, isNested }) {
    const project = at(model.projects, n)
    if (!project) return
    const external_id = isNested ? id : null
    const answer = await api.post(`/projects/${project.id}/discussions`, { title, external_id })
    const known = discussions(model).map(({ discussion }) => discussion)
    settle(answer, frozen(project) ?? taken(known, external_id), 201, () =>
      project.discussions.push({ id: answer.body.data.id, title, external_id, comments: [] }),
    )
  },

  async updateDiscussion(model, api, { n, text: title, isNested }) {
    const found = at(discussions(model), n)
    if (!found) return
    const answer = await api.patch(addressOfDiscussion(found, isNested), { title })
    settle(answer, frozen(found.project), 200, () => {
      found.discussion.title = title
    })
  },

  async deleteDiscussion(model, api, { n, isNested }) {
    const found = at(discussions(model), n)
    if (!found) return
    settle(await api.delete(addressOfDiscussion(found, isNested)), frozen(found.project), 200, () =>
      remove(found.project.discussions, found.discussion),
    )
  },

  async upsertDiscussion(model, api, { n, external_id, text: title }) {
    const project = at(model.projects, n)
    if (!project) return
    const known = discussions(model).find(({ discussion }) => discussion.external_id === external_id)
    const answer = await api.put(`/projects/${project.id}/discussions/ext:${external_id}`, { title })
    settle(answer, frozen(project, ...(known ? [known.project] : [])), known ? 200 : 201, () => {
      if (known) known.discussion.title = title
      else project.discussions.push({ id: answer.body.data.id, title, external_id, comments: [] })
    })
  },
}
