import type { Change } from '../../../client/src/index.ts'
import { command } from '../frame/command.ts'
import { harmless, print } from '../frame/output.ts'
import { connectPatiently, FEED_OPTIONS, followFeed } from './feed.ts'

export const watch = command({
  name: 'watch',
  summary: 'Follow what changes in a company, as it happens.',
  description: 'Needs an API key in DIWAN_KEY. A connection that ends is opened again, and nothing is left out.',
  options: {
    ...FEED_OPTIONS,
    json: { type: 'flag', help: 'Print each change as a line of JSON, with its cursor' },
  },
  examples: ['watch', 'watch --kind task.completed,file --json'],
  async run({ options: { kind, after, json, url } }) {
    for await (const change of followFeed(connectPatiently(url), { kind, after }))
      print(json ? JSON.stringify(change) : lineOf(change))
  },
})

function lineOf({ at, kind, change, id, project_id, actor, fields }: Change): string {
  const what = `${kind}.${change}`.padEnd(22)
  const touched = fields ? ` (${fields.join(', ')})` : ''
  return `${at}  ${what}${String(id).padEnd(16)}${project_id}  ${harmless(actor ?? '-')}${touched}`
}
