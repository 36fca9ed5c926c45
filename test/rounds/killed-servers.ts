import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { created, type TestCompany } from '../support/diwan.ts'
import { startMailServer } from '../support/mail-server.ts'
import { random } from '../support/random.ts'
import { startReceiver } from '../support/receiver.ts'
import { embedded, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'
import { tell } from '../support/trial.ts'

const PEOPLE = 3
const WRITERS = 3
const MOODS = ['accept', 'accept', 'refuse', 'drop'] as const
/** What a killed server had begun comes back by itself: a job after a minute, and then after the pause of one that has failed. */
const TOLD_WITHIN_MS = 10 * 60_000

/**
 * Kills an embedded server, which does its own jobs, at random moments while discussions are created and what it tells others of
 * them fails now and then. In the end everyone has a mail about each, and a webhook a message; nobody hears of anything else.
 */
export async function expectEverythingToldAfter(kills: number): Promise<void> {
  const mail = await startMailServer({ passingOverInvitations: true })
  const receiver = await startReceiver(response => response.writeHead(random() < 0.3 ? 503 : 200).end())
  const env = {
    ...embedded(),
    SMTP_URL: mail.url,
    MAIL_FROM: 'diwan@example.com',
    ALLOW_PRIVATE_WEBHOOKS: 'on',
  }
  let server = await serve(env)
  const company = await server.diwan.company()
  for (let n = 0; n < PEOPLE; n++) await server.diwan.person(company.id, { language: n % 2 ? 'ar' : 'en' })
  const { id: project } = await server.diwan.project(company)
  await created(company.admin.post('/webhooks', { name: 'All', url: receiver.url, kinds: ['discussion.created'] }))

  const acknowledged = new Set<string>()
  let sent = 0
  /** Creates discussions until the server is gone. Every fifth is refused; for one without an answer, nobody knows. */
  const write = async () => {
    const api = server.diwan.api(company.key)
    while (!server.hasExited()) {
      const title = ++sent % 5 === 0 ? '' : `Moving day ${sent}.`
      const answer = await api.post(`/projects/${project}/discussions`, { title }).catch(() => undefined)
      if (!answer) return
      expect(answer.status, JSON.stringify(answer.body)).toBe(title === '' ? 422 : 201)
      if (title !== '') acknowledged.add(title)
      await sleep(20)
    }
  }
  for (let kill = 1; kill <= kills; kill++) {
    mail.mood = MOODS[Math.floor(random() * MOODS.length)] ?? 'accept'
    const writing = Promise.all(Array.from({ length: WRITERS }, write))
    const enough = acknowledged.size + 2 + Math.round(random() * 10)
    await until(async () => acknowledged.size >= enough)
    await sleep(random() * 1_000)
    expect(server.hasExited(), server.stderr()).toBe(false)
    await server.end('SIGKILL')
    await writing
    server = await serve(env)
  }
  mail.mood = 'accept'
  receiver.answer(response => response.end())

  const kept = await titlesOf(server.diwan.api(company.key), project)
  expect([...acknowledged].filter(title => !kept.has(title))).toEqual([])
  const mails = () =>
    new Map(mail.received.map(({ headers, to, text }) => [headers['message-id'], [to, titleIn(text)]]))
  const messages = () => new Map(receiver.received.map(({ headers, text }) => [headers['webhook-id'], titleIn(text)]))
  await until(async () => mails().size >= kept.size * PEOPLE && messages().size >= kept.size, TOLD_WITHIN_MS)
  const everyone = [...new Set([...mails().values()].map(([to]) => String(to)))]
  expect(everyone).toHaveLength(PEOPLE)
  const expected = [...kept].flatMap(title => everyone.map(to => [to, title].join()))
  expect([...mails().values()].map(String).sort()).toEqual(expected.sort())
  expect([...messages().values()].sort()).toEqual([...kept].sort())
  tell('jobs, embedded', { discussions: kept.size, kills, mails: mails().size, messages: messages().size })
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
}

const titleIn = (text: string) => /Moving day \d+\./.exec(text)?.[0]

async function titlesOf(api: TestCompany['api'], project: string): Promise<Set<string>> {
  const titles = new Set<string>()
  for (let cursor = ''; ; ) {
    const { data, meta } = (await api.get(`/projects/${project}/discussions?limit=100${cursor}`)).body
    for (const { title } of data) titles.add(title)
    if (!meta.next_cursor) return titles
    cursor = `&cursor=${meta.next_cursor}`
  }
}
