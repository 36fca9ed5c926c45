/** Where a browser is sent with the answer to a request of an app. Whoever gets to choose it gets the code. */

const LONGEST = 2_048

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

/**
 * Schemes without a dot that programs which agents run in have registered with the system. Others need a dot, as in
 * `com.example.app:/callback` (RFC 8252, 7.1): a browser does nothing of its own with such a scheme, as it does with
 * `javascript:`.
 */
const KNOWN_SCHEMES = [
  'claude',
  'cursor',
  'goose',
  'jetbrains',
  'lmstudio',
  'raycast',
  'vscode',
  'vscode-insiders',
  'warp',
  'windsurf',
  'zed',
]

/** https, http on the machine of the person, or a scheme of a program there. */
export function isAllowedRedirect(text: string): boolean {
  if (text.length > LONGEST || /[^!-~]|[\\#]/.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  if (protocol === 'https:') return true
  if (protocol === 'http:') return LOOPBACK.includes(hostname)
  const scheme = protocol.slice(0, -1)
  return scheme.includes('.') || KNOWN_SCHEMES.includes(scheme)
}

/** Exactly one of those that the app has named. A program on the person's machine cannot know its port before (RFC 8252, 7.3). */
export function isOneOf(named: string[], given: string): boolean {
  if (!isAllowedRedirect(given)) return false
  return named.some(one => one === given || (isLocal(one) && isLocal(given) && withoutPort(one) === withoutPort(given)))
}

/** Whether it leads to a program on the machine of the person. */
export function isLocal(redirect: string): boolean {
  const { protocol, hostname } = new URL(redirect)
  return protocol === 'http:' && LOOPBACK.includes(hostname)
}

function withoutPort(redirect: string): string {
  const url = new URL(redirect)
  url.port = ''
  return url.href
}

/** As people recognise it: the host, or the scheme of a program. */
export function homeOf(redirect: string): string {
  const { protocol, host } = new URL(redirect)
  return /^https?:$/.test(protocol) ? host : protocol
}

/** The redirect with the answer. What was named stays as it was, to the letter. */
export function answering(redirect: string, answer: Record<string, string | null | undefined>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(answer))
    if (value !== null && value !== undefined) query.append(name, value)
  return `${redirect}${redirect.includes('?') ? '&' : '?'}${query}`
}
