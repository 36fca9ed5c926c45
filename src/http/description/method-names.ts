/**
 * The path of a method in the client, in natural words, made from the name and the address of its endpoint. The address begins
 * with the resource; the name says what is done and need not repeat the resource: `completeTask` at `/tasks/{task}/complete` is
 * `tasks.complete`. A method that lists is named after what it lists: `listTasks` at `/lists/{list}/tasks` is `lists.tasks`. An
 * address of one word that is not a plural is the method itself: `search`.
 */
export function methodPath({ name, path }: { name: string; path: string }): string[] {
  const [resource = '', ...rest] = path.split('/').filter(Boolean)
  if (rest.length === 0 && !resource.endsWith('s')) return [resource]
  const short = name.replace('TaskList', 'List')
  const [verb = ''] = /^[a-z]+/.exec(short) ?? []
  const nouns = short.slice(verb.length)
  const singular = resource.charAt(0).toUpperCase() + resource.slice(1).replace(/s$/, '')
  const below = nouns.startsWith(singular) ? nouns.slice(singular.length).replace(/^s/, '') : nouns
  return [resource, verb === 'list' && below ? below.charAt(0).toLowerCase() + below.slice(1) : verb + below]
}
