import { beforeAll, expect, it } from 'vitest'
import { HOSTILE, startCalendar } from '../support/calendar-hosts.ts'
import { ALLOWED, newEvent } from '../support/calendar-people.ts'
import { created } from '../support/diwan.ts'
import { embedded, type ServerProcess, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await serve({ ...embedded(), ...ALLOWED })
})

async function newPerson({ diwan }: ServerProcess, url: string) {
  const company = await diwan.company()
  const person = await diwan.person(company.id)
  await created(person.admin.post('/calendars', { url, username: 'a', password: 'b' }))
  return { api: diwan.api(await diwan.key(company.id, { created_by: person.id })) }
}

it.each(Object.entries(HOSTILE))(
  'Calendar servers that %s delay neither the calendars of another company nor a request',
  async (_, answer) => {
    const hostile = await startCalendar(answer)
    const good = await startCalendar(({ method }, response) =>
      method === 'REPORT' ? response.writeHead(207).end('<multistatus/>') : response.writeHead(201).end(),
    )
    const attacker = await newPerson(server, hostile.url)
    const other = await newPerson(server, good.url)
    for (let n = 0; n < 8; n++) await newEvent(attacker, { name: `Attack ${n}` })
    await until(async () => hostile.asked.length > 0)
    for (let n = 0; n < 12; n++) await newEvent(other, { name: `Event ${n}` })
    await until(async () => {
      expect((await fetch(`${server.url}/health`)).status).toBe(200)
      return good.asked.filter(method => method === 'PUT').length === 12
    })
  },
)
