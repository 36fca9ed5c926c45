import { resourceOf } from '../domain/access/operations.ts'
import { unprocessable } from '../domain/errors.ts'
import { say } from '../domain/sentences/sentences.ts'
import { TOOLS, type Tool } from './tools.ts'

const RESOURCES = [...new Set(TOOLS.map(toolResource))]

/** All tools, or those of the resources that the address names: `?tools=tasks,projects`. A name without tools is refused. */
export function wantedTools(sent: string | string[] | undefined): Tool[] {
  if (sent === undefined) return TOOLS
  const names = [sent].flat().flatMap(each => each.split(',').map(name => name.trim()))
  if (!names.every(name => RESOURCES.includes(name)))
    throw unprocessable('tools', say('must name one or more of {values}', { values: RESOURCES.join(', ') }))
  return TOOLS.filter(tool => names.includes(toolResource(tool)))
}

function toolResource({ endpoint }: Tool): string {
  return resourceOf(endpoint.operation)
}
