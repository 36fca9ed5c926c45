/** One event of a stream: its id, and its data if it has any. A sign of life has none. */
export interface StreamEvent {
  id: string | undefined
  data: string | undefined
}

/** Nothing arrived in time. */
class Silence extends Error {}

/** Reads server-sent events in the portions in which they arrive, until they end or nothing arrives for so long. */
export async function* readEvents(body: ReadableStream<Uint8Array>, silentMs: number): AsyncGenerator<StreamEvent[]> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await within(silentMs, reader.read())
      if (done) return
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop() ?? ''
      yield blocks.map(eventOf)
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function eventOf(block: string): StreamEvent {
  const lines = block.split('\n')
  const textOf = (field: string) => lines.find(line => line.startsWith(field))?.slice(field.length)
  return { id: textOf('id: '), data: textOf('data: ') }
}

export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Silence()), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
