/** An event may have an id and no data: then it only says how far the stream has come. */
export interface StreamEvent {
  id: string | undefined
  data: string
}

/** Nothing that we follow sends events this long. */
const LONGEST_EVENT = 1_000_000

/** The events of a `text/event-stream`, as they come. */
export async function* eventsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const events = (rest + decoder.decode(chunk, { stream: true })).replaceAll('\r\n', '\n').split('\n\n')
    rest = events.pop() as string
    if (rest.length > LONGEST_EVENT) throw new Error('The stream has an event that is too long')
    yield* events.map(eventOf)
  }
}

function eventOf(text: string): StreamEvent {
  const lines = text.split('\n')
  const valuesOf = (field: string) =>
    lines.filter(line => line.startsWith(`${field}:`)).map(line => line.slice(field.length + 1).replace(/^ /, ''))
  return { id: valuesOf('id').at(-1), data: valuesOf('data').join('\n') }
}
