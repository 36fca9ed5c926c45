import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { batchesOf } from '../../cli/src/import/batches.ts'
import type { Draft } from '../../cli/src/import/drafts.ts'

async function batch(portions: Draft[][], size: number) {
  const source = (async function* () {
    yield* portions
  })()
  const batches = []
  for await (const each of batchesOf(source, size)) batches.push(each)
  return batches
}
const draft = (number: number, list: string, notes = ''): Draft => ({
  number,
  list,
  externalId: undefined,
  isCompleted: false,
  minutes: undefined,
  task: { title: `Task ${number}`, notes },
})

describe('The batches of an import', () => {
  it('hold every task once, those of a list in their order, and are the same however the file was cut', async () => {
    const lists = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(lists, fc.integer({ min: 1, max: 10 }), fc.nat(60), async (names, size, cut) => {
        const drafts = names.map((list, n) => draft(n, list))
        const batches = await batch([drafts.slice(0, cut), drafts.slice(cut)], size)
        expect(batches).toEqual(await batch([drafts], size))
        expect(batches.map(({ index }) => index)).toEqual(batches.map((_, n) => n))
        expect(batches.every(({ drafts }) => drafts.length > 0 && drafts.length <= size)).toBe(true)
        for (const list of ['a', 'b', 'c']) {
          const sent = batches.filter(each => each.list === list).flatMap(each => each.drafts)
          expect(sent).toEqual(drafts.filter(each => each.list === list))
        }
      }),
    )
  })

  it('fit into a request, and do not wait without bound for lists to fill', async () => {
    const long = await batch([Array.from({ length: 100 }, (_, n) => draft(n, 'a', 'م'.repeat(20_000)))], 100)
    for (const { drafts } of long) {
      const bytes = Buffer.byteLength(JSON.stringify({ tasks: drafts.map(({ task }) => task) }))
      expect(bytes).toBeLessThan(1024 * 1024)
    }
    let read = 0
    const endless = (async function* () {
      for (;;) yield [draft(read, `List ${read++ % 1_000}`)]
    })()
    for await (const { drafts } of batchesOf(endless, 100)) {
      expect([drafts.length < 100, read]).toEqual([true, 5_001])
      break
    }
  })
})
