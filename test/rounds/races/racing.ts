import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Answer, Client, TestCompany } from '../../support/diwan.ts'
import { random } from '../../support/random.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { readEverything } from '../mirror.ts'

/** Long enough that each of two calls comes first now and then. */
const APART_MS = 8

/** Sends calls at almost the same moment, each a little later or earlier. */
export function race(...calls: (() => Promise<Answer>)[]): Promise<Answer[]> {
  return Promise.all(
    calls.map(async call => {
      await sleep(random() * APART_MS)
      return call()
    }),
  )
}

/** A client of one of the nodes, another one each time, so that no lock of a process can help. */
export function anyNode(nodes: ServerProcess[], { key }: TestCompany): Client {
  const node = nodes[Math.floor(random() * nodes.length)] as ServerProcess
  return node.diwan.api(key)
}

export const statusesOf = (answers: Answer[]): number[] => answers.map(({ status }) => status)

/** Every count that the company shows is the number of what is there. Nobody writes meanwhile. */
export async function expectRightCounts({ api }: TestCompany): Promise<void> {
  const { counts } = await readEverything(read => read(api))
  expect(counts.length).toBeGreaterThan(0)
  expect(counts.map(({ of, shown }) => [of, shown])).toEqual(counts.map(({ of, there }) => [of, there]))
}
