import { expect } from 'vitest'
import { type Act, at, type Folder, frozen, type Model, type Project, type Refusal, remove, settle } from './state.ts'

const folders = ({ projects }: Model) =>
  projects.flatMap(project => project.folders.map(folder => ({ project, folder })))
const files = ({ projects }: Model) => projects.flatMap(project => project.files.map(file => ({ project, file })))

/** A folder of the project, or its root. */
const levelOf = ({ folders }: Project, n: number): number | null =>
  at([null, ...folders.map(({ id }) => id)], n) ?? null

/** The folder and those below it. */
function treeOf(project: Project, folder: Folder): Folder[] {
  const below = project.folders.filter(({ parent_folder_id }) => parent_folder_id === folder.id)
  return [folder, ...below.flatMap(each => treeOf(project, each))]
}

/** Two folders in one place cannot have the same name. */
const namesake = ({ folders }: Project, name: string, parent: number | null, own?: Folder): Refusal =>
  folders.some(each => each !== own && each.name === name && each.parent_folder_id === parent) ? 422 : undefined

/** Puts a new file into a project, as the body says. */
const adding =
  (place: 'files' | 'links', content: object): Act =>
  async ({ projects }, api, { n, m, text: name }) => {
    const project = at(projects, n)
    if (!project) return
    const folder_id = levelOf(project, m)
    const answer = await api.post(`/projects/${project.id}/${place}`, { name, folder_id, ...content })
    settle(answer, frozen(project), 201, () => {
      const { id, ref } = answer.body.data
      project.files.push({ id, ref, name, folder_id })
    })
  }

export const ON_FILES: Record<string, Act> = {
  uploadFile: adding('files', { content: 'Ten desks' }),
  createLink: adding('links', { external_url: 'https://example.com/plan' }),

  async deleteFile(model, api, { n, isNested, isOther }) {
    const found = at(files(model), n)
    if (!found) return
    const { project, file } = found
    const nested = `/projects/${project.id}/files/${isOther ? file.ref : file.id}`
    settle(await api.delete(isNested ? nested : `/files/${file.ref}`), frozen(project), 200, () =>
      remove(project.files, file),
    )
  },

  async createFolder({ projects }, api, { n, m, text: name }) {
    const project = at(projects, n)
    if (!project) return
    const parent_folder_id = levelOf(project, m)
    const answer = await api.post(`/projects/${project.id}/folders`, { name, parent_folder_id })
    settle(answer, frozen(project) ?? namesake(project, name, parent_folder_id), 201, () =>
      project.folders.push({ id: answer.body.data.id, name, parent_folder_id }),
    )
  },

  async updateFolder(model, api, { n, m, text: name }) {
    const found = at(folders(model), n)
    if (!found) return
    const { project, folder } = found
    const parent_folder_id = levelOf(project, m)
    const answer = await api.patch(`/projects/${project.id}/folders/${folder.id}`, { name, parent_folder_id })
    const isBelowItself = treeOf(project, folder).some(({ id }) => id === parent_folder_id)
    const impossible = isBelowItself ? 422 : namesake(project, name, parent_folder_id, folder)
    settle(answer, frozen(project) ?? impossible, 200, () => Object.assign(folder, { name, parent_folder_id }))
  },

  async deleteFolder(model, api, { n }) {
    const found = at(folders(model), n)
    if (!found) return
    const { project, folder } = found
    const answer = await api.delete(`/projects/${project.id}/folders/${folder.id}`)
    settle(answer, frozen(project), 200, () => {
      const gone = treeOf(project, folder)
      const isGone = ({ folder_id }: { folder_id: number | null }) => gone.some(({ id }) => id === folder_id)
      const destroyed = { files: project.files.filter(isGone).length, subfolders: gone.length - 1 }
      expect(answer.body.data.destroyed).toEqual(destroyed)
      project.files = project.files.filter(file => !isGone(file))
      project.folders = project.folders.filter(each => !gone.includes(each))
    })
  },
}
