import { originOf, pathOf, type Reply, type Request } from '../requests/request.ts'

/** Adds a link to the next page to an answer whose meta has a cursor. */
export function linkNextPage(request: Request, reply: Reply, answer: unknown, publicUrl: string | undefined): void {
  const cursor = nextCursorIn(answer)
  if (cursor === null) return
  const { offset: _offset, cursor: _cursor, ...others } = request.query
  const sent = new URLSearchParams()
  for (const [name, values = []] of Object.entries({ ...others, cursor }))
    for (const value of [values].flat()) sent.append(name, value)
  // If no origin is known, the link is relative to the host.
  const address = (publicUrl ?? originOf(request) ?? '') + asciiOnly(pathOf(request))
  reply.header('link', `<${address}?${sent}>; rel="next"`)
}

function nextCursorIn(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || !('meta' in answer)) return null
  const { meta } = answer
  if (typeof meta !== 'object' || meta === null || !('next_cursor' in meta)) return null
  return typeof meta.next_cursor === 'string' ? meta.next_cursor : null
}

/** Escapes characters that are not allowed in a header or would end the URL in it. */
function asciiOnly(path: string): string {
  return path.replace(/[^!-~]|[<>"]/g, encodeURIComponent)
}
