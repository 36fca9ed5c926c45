import { DiwanError } from './error.ts'
import type { Watch } from './waiting.ts'

export interface StreamEvent {
  id: string
  data: string
}

/** The server sends something every 25 seconds. */
const SILENCE_MS = 60_000
const LONGEST_LINE = 1_000_000

/** The events of a stream: the id of each, and its data, which is empty if only the id has advanced. */
export async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  watch: Watch,
  silenceMs = SILENCE_MS,
): AsyncGenerator<StreamEvent> {
  let [id, data] = ['', '']
  for await (const line of linesIn(body, watch, silenceMs)) {
    if (line.startsWith('id:')) id = line.slice(3).trim()
    else if (line.startsWith('data:')) data += (data && '\n') + line.slice(5).trimStart()
    else if (line === '') {
      if (id || data) yield { id, data }
      data = ''
    }
  }
}

/** Only reading is timed: a consumer that takes long over a line does not make the server silent. */
async function* linesIn(body: ReadableStream<Uint8Array>, watch: Watch, silenceMs: number): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    watch.start(silenceMs)
    const { done, value } = await reader.read()
    watch.stop()
    if (done) return
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LONGEST_LINE) throw new DiwanError({ code: 'unexpected_answer', message: 'A line has no end.' })
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
  }
}
