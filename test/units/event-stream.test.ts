import { describe, expect, it } from 'vitest'
import { eventsIn } from '../../client/src/event-stream.ts'
import { watchFor } from '../../client/src/waiting.ts'

function inPieces(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(text)
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size))
      controller.close()
    },
  })
}

describe('A stream of events', () => {
  const text = 'id: a\ndata: {"name": "مهمة"}\n\n: still here\nid: b\n\ndata: one\ndata: two\n\nid: unfinished\n'

  it.each([1, 2, 3, 7, 1000])('is read whole however it is cut: by %i bytes', async size => {
    const events = []
    for await (const event of eventsIn(inPieces(text, size), watchFor(undefined))) events.push(event)
    expect(events).toEqual([
      { id: 'a', data: '{"name": "مهمة"}' },
      { id: 'b', data: '' },
      { id: 'b', data: 'one\ntwo' },
    ])
  })

  it('is left when one line has no end', async () => {
    const endless = eventsIn(inPieces(`data: ${'x'.repeat(1_500_000)}`, 100_000), watchFor(undefined))
    await expect(endless.next()).rejects.toThrow('no end')
  })
})
