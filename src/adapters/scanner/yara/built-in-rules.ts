import { randomBytes } from 'node:crypto'
import type { Member } from '../contents/allowance.ts'
import { compile, fileNameOf, findingOf, type Match, noteOf, type RuleSource } from './engine.ts'

/** How our rules write the mark that precedes each member. */
const START = String.raw`\xFFSTART\xFF`
const START_BYTES = 7

/** The name of what was found in one of the members, or null. `checkTime` throws when it is too late for another scan. */
export type Find = (members: Member[], checkTime: () => void) => string | null

/**
 * The engine takes 10 ms for each scan, however small a member is. So members are scanned together, and our rules are written
 * for that: what they say of the beginning of a file, they say of what follows a mark. A rule may match because of two members
 * that have nothing to do with each other, but never fails to match. So if one does, the members it applies to are scanned
 * again in halves, until one is alone.
 */
export function openBuiltInRules(sources: RuleSource[]): Find {
  // A hostile file cannot know it.
  const mark = Buffer.from(randomBytes(START_BYTES).map(byte => byte | 0x80))
  const written = mark.toString('hex').replace(/../g, String.raw`\x$&`)
  const engine = compile(sources.map(({ file, text }) => ({ file, text: text.replaceAll(START, written) })))

  const find: Find = (members, checkTime) => {
    if (members.length === 0) return null
    checkTime()
    const matches = engine.scan(Buffer.concat(members.flatMap(({ bytes }) => [mark, bytes])))
    const left = members.filter(member => matches.some(match => appliesTo(match, member)))
    if (members.length === 1) {
      const match = matches.find(each => appliesTo(each, members[0] as Member))
      return match ? findingOf(match) : null
    }
    const half = Math.ceil(left.length / 2)
    return find(left.slice(0, half), checkTime) ?? find(left.slice(half), checkTime)
  }
  return find
}

/** What our rules require besides their conditions: see the head of diwan.yar. */
function appliesTo(match: Match, { name, part }: Member): boolean {
  const [onlyName, onlyPart] = [noteOf(match, 'name'), noteOf(match, 'part')]
  return (!onlyName || new RegExp(onlyName, 'i').test(fileNameOf(name))) && (!onlyPart || onlyPart === part)
}
