import type { Diwan, TestCompany } from '../support/diwan.ts'
import { created } from '../support/diwan.ts'
import { newComment, newDiscussion, newLink, newList, newTask } from '../support/factories.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/servers.ts'

/** What people call things, and what somebody calls them who means harm. */
const HOSTILE_NAMES = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(2)</script>',
  '\u202eمقلوب gnirts\u202c \u2066isolated',
  'ط'.repeat(255),
  'W'.repeat(255),
  '👩‍👩‍👧‍👦 🇸🇦 إيموجي 🏗️ emoji',
  "Robert'); drop table tasks;-- {{constructor}} %s",
]

/** What stands in the addresses of the views. */
export type Places = Record<string, string | number>

type Naming = (usual: string) => string

/** What a file or a folder may be called: it can neither stand for a path nor turn its ending around. */
const forFiles = (name: string) => name.replace(/[\u202a-\u202e\u2066-\u2069/\\]/g, '').slice(0, 200)

export function hostileNaming(): Naming {
  let n = 0
  return () => HOSTILE_NAMES[n++ % HOSTILE_NAMES.length] as string
}

/** A company that has something to show in every view, and where each view finds it; a calendar only where there is a server for it. */
export async function furnishCompany(
  diwan: Diwan,
  name: Naming = usual => usual,
  calendar?: { url: string; username: string; password: string },
): Promise<{ company: TestCompany; places: Places }> {
  const company = await diwan.company({ name: name('شركة نجد للتجارة'), plan: 'productive', time_zone: 'Asia/Riyadh' })
  await company.admin.patch('', { second_calendar: 'islamic-umalqura' })
  const { user } = await furnishPeople(diwan, company, name)
  const work = await furnishWork(diwan, company, user, name)
  const keys = await furnishKeys(diwan, company, name)
  const webhook = await furnishWebhook(company, name)
  if (calendar) await created(company.admin.post('/calendars', calendar))
  await newTask(company, String(work.list), { title: name('Told to the webhook') })
  const delivery = await failedDelivery(company, webhook)
  return { company, places: { company: company.id, user, webhook, delivery, ...work, ...keys } }
}

async function furnishPeople(diwan: Diwan, company: TestCompany, name: Naming) {
  const unique = Math.random().toString(36).slice(2)
  const manager = await diwan.person(company.id, { name: name('يوسف المنصور'), role: 'manager' })
  await diwan.person(company.id, { name: name('Omar Aziz'), email: `${'o'.repeat(50)}.${unique}@example.com` })
  const former = await diwan.person(company.id, { name: name('Rami Saleh') })
  await company.admin.patch(`/users/${former.id}`, { active: false })
  return { user: manager.id }
}

async function furnishWork(diwan: Diwan, company: TestCompany, user: number, name: Naming) {
  const project = await diwan.project(company, {
    name: name('انتقال المكتب'),
    description: name('To the new building, floor by floor'),
    is_public: false,
    start_date: '2026-01-10',
  })
  for (const user_id of [company.owner.id, user])
    await created(company.admin.post(`/projects/${project.id}/members`, { user_id }))
  const list = await newList(company, project.id, { title: name('التجهيزات'), priority: 'high' })
  await newList(company, project.id, { title: name('Permits') })
  const mine = { assignee_email: company.owner.email }
  const task = await newTask(company, list.id, {
    title: name('Order the desks'),
    notes: name('Forty of them.'),
    due_at: '2026-02-01',
    ...mine,
  })
  await newTask(company, list.id, { title: name('استلام المفاتيح'), due_at: '2027-03-01' })
  const done = await newTask(company, list.id, { title: name('Measure the rooms'), ...mine })
  await company.api.post(`/tasks/${done.id}/complete`)
  await newComment(company, `/tasks/${task.id}`, { content: name('وصلت العيّنات.\nThe oak is best.') })
  const discussion = await newDiscussion(company, project.id, {
    title: name('Which weekend?'),
    body: name('The lift is booked.'),
  })
  await newComment(company, `/discussions/${discussion.id}`, { content: name('Saturday.') })
  const folder = (
    await created(company.api.post(`/projects/${project.id}/folders`, { name: forFiles(name('العقود')) }))
  ).data
  await newLink(company, project.id, { name: forFiles(name('Plan.pdf')) })
  const notes = { name: 'notes.md', content: `# ${name('ملاحظات')}` }
  const file = (await created(company.api.post(`/projects/${project.id}/files`, notes))).data
  await company.api.post('/events', {
    name: name('Site visit'),
    starts_at: '2027-01-12T09:00:00+03:00',
    ends_at: '2027-01-12T10:00:00+03:00',
  })
  const gone = await newDiscussion(company, project.id, { title: name('Old plan') })
  await company.api.delete(`/discussions/${gone.id}`)
  return {
    project: project.id,
    list: list.id,
    task: task.id,
    discussion: discussion.id,
    folder: folder.id,
    file: file.ref,
  }
}

async function furnishKeys(diwan: Diwan, company: TestCompany, name: Naming) {
  const reading = (
    await created(
      company.admin.post('/keys', { name: name('Reporting'), access: 'read', expires_at: '2099-06-01T00:00:00Z' }),
    )
  ).data
  const api = diwan.api(reading.key)
  for (let n = 0; n < 5; n++) await api.get('/projects')
  await api.post('/projects', { name: 'Denied' })
  const revoked = (await created(company.admin.post('/keys', { name: name('Old robot'), access: 'write' }))).data
  await company.admin.delete(`/keys/${revoked.id}`)
  return { key: reading.id }
}

async function furnishWebhook(company: TestCompany, name: Naming) {
  const receiver = await startReceiver((response, { body }) => {
    response.statusCode = body.type === 'ping' ? 200 : 500
    response.end('<b>No</b>')
  })
  const body = { name: name('Warehouse'), url: receiver.url, kinds: ['task.*', 'discussion.created'] }
  return (await created(company.admin.post('/webhooks', body))).data.id as number
}

/** Once it was attempted, its page has something to show. */
async function failedDelivery(company: TestCompany, webhook: number): Promise<number> {
  const retried = async () =>
    (await company.admin.get(`/webhooks/${webhook}/deliveries?state=retrying`)).body.data[0]?.id as number | undefined
  await until(async () => (await retried()) !== undefined)
  return (await retried()) as number
}
