import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { Answer, Client, TestCompany } from '../support/diwan.ts'
import { newList, newTask } from '../support/factories.ts'
import { roundsOfRace } from '../support/races.ts'

const app = useApp()

const ROUNDS = roundsOfRace(60)

let company: TestCompany
let clients: [Client, Client]
let here: string
let there: string
beforeAll(async () => {
  company = await app.diwan.company()
  clients = [company.api, app.diwan.api(await app.diwan.key(company.id))]
  const project = await app.diwan.project(company)
  here = (await newList(company, project.id, { title: 'Here' })).id
  there = (await newList(company, project.id, { title: 'There' })).id
})

interface Change {
  method: string
  below?: string
  body?: object
}

/** Two clients have read the same version and write at the same moment; in half of the rounds the second one sends first. */
async function race(first: Change, second: Change, round: number) {
  const { id } = await newTask(company, here, { title: `Round ${round}` })
  const tag = (await company.api.get(`/tasks/${id}`)).headers.get('etag') as string
  const write = (client: Client, { method, below = '', body }: Change) =>
    client.send(method, `/tasks/${id}${below}`, {
      headers: { 'if-match': tag, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  const begin = [() => write(clients[0], first), () => write(clients[1], second)]
  const answers: Answer[] = []
  const order = round % 2 === 0 ? [0, 1] : [1, 0]
  await Promise.all(
    order.map(async n => {
      answers[n] = await (begin[n] as () => Promise<Answer>)()
    }),
  )
  return { statuses: answers.map(({ status }) => status), now: await company.api.get(`/tasks/${id}`) }
}

const rename = (title: string): Change => ({ method: 'PATCH', body: { title } })

describe(`Of two who have read the same version, in each of ${ROUNDS} rounds,`, () => {
  it('one changes the task and the other is told', async () => {
    const winners = new Set<string>()
    // Each of them wins sooner or later, though perhaps not within a few rounds.
    for (let round = 0; round < ROUNDS || winners.size < 2; round++) {
      const { statuses, now } = await race(rename('First'), rename('Second'), round)
      expect([round, [...statuses].sort()]).toEqual([round, [200, 412]])
      const winner = statuses[0] === 200 ? 'First' : 'Second'
      expect([round, now.body.data.title]).toEqual([round, winner])
      winners.add(winner)
    }
  })

  it('one moves the task and the other is told, or the other deletes it and there is nothing to move', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const move = { method: 'POST', below: '/move', body: { list_id: there } }
      const { statuses, now } = await race(move, { method: 'DELETE' }, round)
      expect([round, statuses.join(' ')]).toEqual([round, expect.stringMatching(/^(200 412|404 200)$/)])
      expect([round, now.status]).toEqual([round, statuses[0] === 200 ? 200 : 404])
    }
  })
})
