import { describe, expect, it } from 'vitest'
import { nearest } from '../../cli/src/frame/nearest.ts'
import { eventsOf } from '../../client/src/event-stream.ts'

describe('The name that was probably meant', () => {
  const names = ['serve', 'schema', 'company', 'completion']

  it.each([
    ['sevre', 'serve'],
    ['servee', 'serve'],
    ['shema', 'schema'],
    ['compny', 'company'],
    ['fly', undefined],
    ['', undefined],
    ['s'.repeat(100_000), undefined],
  ])('for %.10s is %s', (word, expected) => {
    expect(nearest(word, names)).toBe(expected)
  })
})

describe('A stream of events', () => {
  async function* inPieces(text: string, size: number) {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const text = 'id: a\ndata: {"name": "مهمة"}\n\n: still here\nid: b\n\ndata: one\ndata: two\n\nid: unfinished\n'

  it.each([1, 2, 3, 7, 1000])('is read whole however it is cut: by %i bytes', async size => {
    const events = []
    for await (const event of eventsOf(inPieces(text, size))) events.push(event)
    expect(events).toEqual([
      { id: 'a', data: '{"name": "مهمة"}' },
      { id: 'b', data: '' },
      { id: undefined, data: 'one\ntwo' },
    ])
  })

  it('is left when one event has no end', async () => {
    const endless = eventsOf(inPieces(`data: ${'x'.repeat(1_500_000)}`, 100_000))
    await expect(endless.next()).rejects.toThrow('too long')
  })
})
