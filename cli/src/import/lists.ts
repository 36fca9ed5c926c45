import type { Diwan } from '../../../client/src/index.ts'
import { listTitle } from './names.ts'

/** The ids of the lists of a project by title; of several with the same title, the oldest. */
export async function listsByTitle(diwan: Diwan, projectId: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const { id, title: written } of diwan.projects.lists(projectId, { limit: 100 })) {
    const title = listTitle(written)
    if (!found.has(title)) found.set(title, id)
  }
  return found
}

/**
 * The lists that an import needs. Existing ones with the same titles are used. The others are created as soon as there is a task
 * to add, all at once, so that they are in the order of FILE.
 */
export function createLists(diwan: Diwan, projectId: string, titles: string[]) {
  const created: string[] = []
  let lists: Promise<Map<string, string>> | undefined

  async function required(): Promise<Map<string, string>> {
    const found = await listsByTitle(diwan, projectId)
    for (const title of titles.filter(each => !found.has(each))) {
      const { id } = await diwan.projects.createList(projectId, { title })
      found.set(title, id)
      created.push(title)
    }
    return found
  }

  return {
    /** The titles of those that were created. */
    created,
    async idOf(title: string): Promise<string> {
      lists ??= required()
      return (await lists).get(title) as string
    },
  }
}

export type Lists = ReturnType<typeof createLists>
