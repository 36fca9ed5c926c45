import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { newList, newTask } from '../support/factories.ts'
import { expectRefusal } from '../support/refusal.ts'

const app = useApp()

const WHEN = { name: 'Site visit', starts_at: '2030-12-01T10:00', ends_at: '2030-12-01T11:00' }

async function twoPeople() {
  const company = await app.diwan.company()
  const [omar, sara] = [await app.diwan.person(company.id), await app.diwan.person(company.id, { name: 'Sara Nasser' })]
  const deactivate = async ({ id }: { id: number }) =>
    expect((await company.admin.patch(`/users/${id}`, { active: false })).status).toBe(200)
  return { company, api: company.api, omar, sara, deactivate }
}

describe('The assignee of a task', () => {
  it('can be sent back as it was read, in any case of letters, after the person has left, or the project', async () => {
    const { company, api, omar, sara, deactivate } = await twoPeople()
    const list = await newList(company, (await app.diwan.project(company)).id)
    const task = await newTask(company, list.id, { assignee_email: omar.email })
    const other = await newTask(company, list.id, { assignee_email: sara.email })
    await deactivate(omar)
    for (const assignee_email of [task.assignee.email, omar.email.toUpperCase()]) {
      const { status, body } = await api.patch(`/tasks/${task.id}`, { assignee_email, notes: 'Still his' })
      expect([status, body.data.assignee.email, body.data.notes]).toEqual([200, omar.email, 'Still his'])
    }
    expectRefusal(await api.patch(`/tasks/${other.id}`, { assignee_email: omar.email }), 422, 'unprocessable_entity')
    expectRefusal(
      await api.post(`/lists/${list.id}/tasks`, { title: 'New', assignee_email: omar.email }),
      422,
      'unprocessable_entity',
    )
    // Nor does it need a member of the project, once it has become private.
    await api.patch(`/projects/${task.project_id}`, { is_public: false })
    expect((await api.patch(`/tasks/${other.id}`, { assignee_email: sara.email, notes: 'x' })).status).toBe(200)
    await company.admin.post(`/projects/${task.project_id}/members`, { user_id: sara.id })
    // Once the task has another assignee, the former one cannot be set again.
    expect((await api.patch(`/tasks/${task.id}`, { assignee_email: sara.email })).body.data.assignee.email).toBe(
      sara.email,
    )
    expectRefusal(await api.patch(`/tasks/${task.id}`, { assignee_email: omar.email }), 422, 'unprocessable_entity')
  })
})

describe('The attendees of an event', () => {
  it('can be sent back as they were read after one of them has left; others who have left cannot be added', async () => {
    const { company, api, omar, sara, deactivate } = await twoPeople()
    const gone = await app.diwan.person(company.id)
    const attendee_emails = [omar.email, sara.email]
    const { data: event } = (await api.post('/events', { ...WHEN, attendee_emails })).body
    await deactivate(omar)
    await deactivate(gone)
    const emails = (answer: { body: { data: { attendees: { email: string }[] } } }) =>
      answer.body.data.attendees.map(({ email }) => email)
    const read = emails(await api.get(`/events/${event.id}`))
    const send = (list: string[]) => api.patch(`/events/${event.id}`, { attendee_emails: list })
    expect(emails(await send(read))).toEqual(read)
    expect(emails(await send([company.owner.email, ...read.map(email => email.toUpperCase())])).sort()).toEqual(
      [company.owner.email, ...read].sort(),
    )
    const refusal = await send([...read, gone.email])
    expectRefusal(refusal, 422, 'unprocessable_entity')
    expect(refusal.body.error.message).toContain(gone.email)
    expectRefusal(await api.post('/events', { ...WHEN, attendee_emails }), 422, 'unprocessable_entity')
    // Once removed from the list, he cannot be added again.
    expect(emails(await send([sara.email]))).toEqual([sara.email])
    expectRefusal(await send([omar.email]), 422, 'unprocessable_entity')
  })
})
