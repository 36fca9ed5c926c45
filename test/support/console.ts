import type { Answer, Client, Diwan } from './diwan.ts'

/** What a page of the console sends with every request. */
const OWN_PAGE = { 'x-diwan-console': '1' }

/** A client with a session cookie and no token, like the console in a browser. */
export function browserWith(diwan: Diwan, cookie: string, prefix = '/admin/v1'): Client {
  const bare = diwan.client(prefix)
  const send: Client['send'] = (method, path, { headers = {}, ...rest } = {}) =>
    bare.send(method, path, { ...rest, headers: { cookie, ...OWN_PAGE, ...headers } })
  const sendJson = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(method, path, {
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    })
  return {
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    post: (path, body, headers) => sendJson('POST', path, body, headers),
    patch: (path, body) => sendJson('PATCH', path, body),
    put: (path, body) => sendJson('PUT', path, body),
    delete: path => send('DELETE', path),
  }
}

export interface SignedIn {
  answer: Answer
  /** The id of the session. */
  id: number
  /** In the form in which the browser sends it back. */
  cookie: string
  browser: Client
}

/** Begins a session with a token or a code. */
export async function signIn(
  diwan: Diwan,
  body: { token: string } | { code: string },
  headers: Record<string, string> = {},
): Promise<SignedIn> {
  const answer = await diwan.client('/admin/v1').post('/sessions', body, headers)
  if (answer.status !== 201) throw new Error(`Expected 201, got ${answer.status}: ${JSON.stringify(answer.body)}`)
  const cookie = cookieIn(answer)
  return { answer, id: answer.body.data.session.id, cookie, browser: browserWith(diwan, cookie) }
}

export function cookieIn({ headers }: Answer): string {
  return (headers.get('set-cookie') ?? '').split(';', 1)[0] as string
}
