import { DiwanError } from '../../../client/src/index.ts'
import type { Config } from '../../../src/config.ts'
import { type Finding, reasonOf } from '../../../src/domain/installation/health.ts'
import { administration, connect, explainCall, type Remote } from '../remote/server.ts'
import { askForCalendars } from './calendars.ts'
import { doubtful, fault, off, ok } from './finding.ts'

const ANSWER_WITHIN_MS = 5_000

/**
 * The server at DIWAN_URL, or else at HOST and PORT, if it is running, and what it reports about the parts that only it can
 * see.
 */
export async function lookAtServer({ databaseUrl }: Config): Promise<Finding[]> {
  let remote: Remote
  try {
    remote = await administration(undefined)
  } catch (error) {
    return [off('server', `Not asked: ${reasonOf(error)}.`)]
  }
  const shown = new URL(remote.url).host
  const ready = await fetch(`${remote.url}/ready`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).then(
    async response => ({ status: response.status, body: await response.text() }),
    () => undefined,
  )
  if (!ready) return [off('server', `None answers at ${shown}.`)]
  if (!/"status"|"error"/.test(ready.body))
    return [fault('server', `Another program listens at ${shown}.`, 'Stop it, or choose another PORT.')]
  if (ready.status !== 200)
    return [fault('server', `The server at ${shown} is not ready.`, 'Read its log: it says what it waits for.')]
  return [ok('server', `Ready at ${shown}.`), ...(await askServer(remote, databaseUrl === undefined))]
}

async function askServer(remote: Remote, isEmbedded: boolean): Promise<Finding[]> {
  try {
    const diwan = connect(remote)
    const { data } = await diwan.request<{ data: { parts: Finding[] } }>('GET', '/admin/v1/health')
    const wrong = data.parts.filter(({ state }) => state === 'down' || state === 'degraded')
    return [
      ...wrong.map(part => ({ ...part, name: `server_${part.name}` })),
      ...(isEmbedded ? await askForCalendars(diwan) : []),
    ]
  } catch (error) {
    const advice = 'Set DIWAN_TOKEN or OPERATOR_TOKEN to the token of that server.'
    return [
      doubtful(
        'server',
        `It does not tell how it is doing: ${error instanceof DiwanError ? explainCall(error) : reasonOf(error)}`,
        advice,
      ),
    ]
  }
}
