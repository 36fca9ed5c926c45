import { OPERATOR_TOKEN, type ServerProcess } from './server-process.ts'

/** Whether the node has created something since it started: then the proxies in front of it know that it is up. */
export async function hasTakenWrites({ url }: ServerProcess): Promise<boolean> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } })
  return /^diwan_requests_total\{operation="\w+:write",status="201"\}/m.test(await answer.text())
}
