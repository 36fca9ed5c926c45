import { type Act, at, settle } from './state.ts'

const DAY = { starts_at: '2027-01-01T10:00', ends_at: '2027-01-01T11:00' }

export const ON_EVENTS: Record<string, Act> = {
  async createEvent({ events, people }, api, { text: name, isOther }) {
    const attendees = isOther ? [people.other] : []
    const answer = await api.post('/events', { name, ...DAY, attendee_emails: attendees })
    settle(answer, undefined, 201, () => events.push({ id: answer.body.data.id, name, attendees }))
  },

  async updateEvent({ events, people }, api, { n, m, text: name, isOther }) {
    const event = at(events, n)
    if (!event) return
    const attendees = isOther ? [people.other] : []
    const invites = m % 2 === 0
    const answer = await api.patch(`/events/${event.id}`, { name, ...(invites && { attendee_emails: attendees }) })
    settle(answer, undefined, 200, () => Object.assign(event, { name, ...(invites && { attendees }) }))
  },

  async deleteEvent(model, api, { n }) {
    const event = at(model.events, n)
    if (!event) return
    settle(await api.delete(`/events/${event.id}`), undefined, 200, () => {
      model.events = model.events.filter(each => each !== event)
    })
  },
}
