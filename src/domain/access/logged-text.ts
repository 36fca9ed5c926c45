import { excerpt, storableText } from '../../lib/text.ts'

// What the log of requests keeps of the texts of a request: no secret, nothing that the database would refuse, and only so much
// that a log has room in memory.

const LONGEST_PATH = 2_048
const LONGEST_MESSAGE = 1_000

/** Our credentials and the secrets of webhooks. Somebody may have pasted one where a name belongs. */
const SECRET = /\b(svc_|whsec_)([\w+/=]+)/g
const SHORTEST_SECRET = 16
/** What may have been sent: a text in quotation marks, of which the last may be missing, or one word. */
const SENT = /"((?:[^"\\]|\\[\s\S])*)("|\\?$)|[^\s"]+/g

/** `url` is what the path was cut from. */
export function loggedPath(path: string, url: string): string {
  const shown = excerpt(withoutSecrets(path), LONGEST_PATH)
  // A part of a string keeps all of it in memory, and a query can be long.
  return storableText(url.length > path.length ? Buffer.from(shown).toString() : shown)
}

export function loggedMessage(message: string): string {
  const cut = withoutSecrets(message).replace(SENT, (sent: string, quoted?: string, end?: string) =>
    quoted === undefined ? excerpt(sent) : `"${excerpt(quoted)}${end}`,
  )
  return storableText(excerpt(cut, LONGEST_MESSAGE))
}

const withoutSecrets = (text: string) =>
  text.replace(SECRET, (all: string, kind: string, secret: string) =>
    secret.length < SHORTEST_SECRET ? all : `${kind}…`,
  )
