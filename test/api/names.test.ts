import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { furnishWork, type Work } from '../support/factories.ts'
import { refusal, unprocessable } from '../support/refusal.ts'

const app = useApp()
let work: Work
beforeAll(async () => {
  work = await furnishWork(app.diwan)
})

const EVENT = { starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' }
const INVISIBLE = [' \u200e\u200f\u061c ', '\u2060\ufeff\u00ad', '\u2800', '\u3164', '\u{e0041}\u{1d173}']

it('A name or title of invisible characters only is blank, whatever it names', async () => {
  const { api, admin } = work.company
  const project = `/projects/${work.project.id}`
  for (const invisible of INVISIBLE) {
    const [name, title] = [invisible, invisible]
    for (const [surface, method, path, body] of [
      [api, 'post', '/projects', { name }],
      [api, 'patch', project, { name }],
      [api, 'post', `${project}/lists`, { title }],
      [api, 'post', `/lists/${work.list.id}/tasks`, { title }],
      [api, 'post', `${project}/discussions`, { title }],
      [api, 'post', `${project}/folders`, { name }],
      [api, 'post', `${project}/files`, { name, content: 'x' }],
      [api, 'post', `${project}/links`, { name, external_url: 'https://a.example' }],
      [api, 'post', '/events', { name, ...EVENT }],
      [admin, 'post', '/users', { name, email: 'someone@example.com' }],
      [admin, 'post', '/keys', { name, access: 'read' }],
      [admin, 'patch', `/discussions/${work.discussion.id}`, { category: invisible }],
    ] as const) {
      const [field] = Object.keys(body)
      const answer = await surface[method](path, body)
      expect([path, ...refusal(answer)]).toEqual([path, ...unprocessable(`${field} can't be blank`)])
    }
  }
  for (const name of ['\u200fخطة\u200f', '👩\u200d👩\u200d👧', '\u2066a\u2069', '⠁'])
    expect((await app.diwan.project(work.company, { name })).name).toBe(name)
})
