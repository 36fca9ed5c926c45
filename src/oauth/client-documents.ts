import { type AppClient, findClient, readRedirects, shownName } from '../domain/apps/clients.ts'
import { isAllowedRedirect } from '../domain/apps/redirects.ts'
import { Kept } from '../lib/kept.ts'
import type { OAuthParts } from './parts.ts'

/** Documents are read again after a while, and are those of the apps that were asked for last. */
const MOST_DOCUMENTS = 500
const KEPT_MS = 10 * 60_000
const LONGEST_ID = 1_024

/** Finds an app: one that has registered here, or one whose id is the URL of a document that says what it is. */
export function clientFinder({ db, documents }: OAuthParts): (id: string) => Promise<AppClient | undefined> {
  const kept = new Kept<string, AppClient>(MOST_DOCUMENTS, KEPT_MS)

  return async id => {
    if (id.length > LONGEST_ID) return undefined
    if (!documents.isUrl(id)) return findClient(db, id.replaceAll('\0', ''))
    // A document that cannot be read now may be readable soon: only good ones are kept.
    return kept.get(id, () => readDocument(id)).catch(() => undefined)
  }

  async function readDocument(url: string): Promise<AppClient> {
    const client = clientIn(url, await documents.read(url))
    if (!client) throw new Error('No client is described there')
    return client
  }
}

/** The document names its own URL, so that nobody can pass off that of another app as theirs. */
function clientIn(url: string, text: string | undefined): AppClient | undefined {
  const said = parsed(text ?? '')
  if (typeof said !== 'object' || said === null) return undefined
  const { client_id, client_name, redirect_uris } = said as Record<string, unknown>
  const redirects = readRedirects(redirect_uris)?.filter(isAllowedRedirect)
  if (client_id !== url || !redirects || redirects.length === 0) return undefined
  return { id: url, name: shownName(client_name, new URL(url).host), redirect_uris: redirects }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
