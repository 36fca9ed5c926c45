import { setTimeout as sleep } from 'node:timers/promises'
import type { TSchema } from 'typebox'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiEndpoints } from '../../src/api/endpoints.ts'
import { RECORDS } from '../../src/domain/records/records.ts'
import { useApp } from '../support/app.ts'
import { created } from '../support/diwan.ts'
import { furnishEveryRecord } from '../support/every-record.ts'
import { newLink } from '../support/factories.ts'
import { cursorOfNow, entriesAfter } from '../support/feed.ts'

// Whoever adds a field need not add it here: its value follows from its schema, and what must follow from a change of it from
// the declaration of the record. Only what no schema can say is listed.

const app = useApp()

type World = Awaited<ReturnType<typeof furnishEveryRecord>>
type Shown = Record<string, unknown>

interface Field {
  type?: string | string[]
  format?: string
  enum?: (string | null)[]
}

/** Values that have to name something that exists, or to go with the other fields. */
const VALUES: Record<string, (world: World) => unknown> = {
  assignee_email: ({ company }) => company.owner.email,
  attendee_emails: ({ company }) => [company.owner.email],
  parent_folder_id: async ({ company, names }) =>
    (await created(company.api.post(`/projects/${names.project}/folders`, { name: `Above ${Math.random()}` }))).data.id,
  attachments: async ({ company, names }) => [(await newLink(company, names.project as string)).ref],
  starts_at: () => '2027-01-01T09:00:00+03:00',
  ends_at: () => '2027-01-01T12:00:00+03:00',
}

/** What shows a value that is not shown under the name of its field. */
const SHOWN: Record<string, (record: Shown) => unknown> = {
  assignee_email: ({ assignee }) => (assignee as { email: string } | null)?.email,
  attendee_emails: ({ attendees }) => (attendees as { email: string }[]).map(({ email }) => email),
  attachments: ({ attachment_refs }) => attachment_refs,
}

/** Shown in another way than they were sent: in the zone of the company, or in the other calendar. */
const isShownAsSent = (name: string) => !/^(?:starts|ends)_at$|_hijri$/.test(name)

/** The field of the record where a body calls it otherwise. A Hijri day is another way to write the Gregorian one. */
const FIELDS: Record<string, string> = { assignee_email: 'assignee' }
const fieldOf = (name: string) => FIELDS[name] ?? name.replace(/_hijri$/, '')

/** Changes that the feed does not call updates. */
const CHANGES: Record<string, string> = { parent_folder_id: 'moved' }

async function valueFor(name: string, schema: TSchema, world: World): Promise<unknown> {
  if (VALUES[name]) return VALUES[name](world)
  const { type, format, enum: choices } = schema as Field
  if (choices) return choices[1]
  if (format === 'date') return '2027-03-10'
  if (format === 'hijri-date') return '1448-10-01'
  if (format === 'uri') return `https://example.com/${name}`
  if ([type].flat().includes('boolean')) return true
  if ([type].flat().includes('integer')) return 7
  if ([type].flat().includes('object')) return { changed: name }
  return `Changed ${name}`
}

function shownAs(name: string, record: Shown): unknown {
  return SHOWN[name] ? SHOWN[name](record) : record[fieldOf(name)]
}

/** The kind of record that an address ends with. */
function kindAt(address: string) {
  const parameter = address.slice(address.lastIndexOf(':') + 1)
  const found = Object.entries(RECORDS).find(([, record]) => record.parameter === parameter)
  if (!found) throw new Error(`${address} ends with no parameter of src/domain/records/records.ts`)
  return { kind: found[0], feed: 'feed' in found[1] ? found[1].feed : undefined }
}

const patches = apiEndpoints.flatMap(({ method, at, body, name }) =>
  method === 'PATCH' && body ? [{ name, at: at[0] as string, fields: body.properties as Record<string, TSchema> }] : [],
)

async function newest(world: World, from: string) {
  const data = await entriesAfter(app, world.company.api, from)
  return data as { kind: string; change: string; fields: string[] | null }[]
}

describe.each(patches)('$name', ({ at, fields }) => {
  let world: World
  beforeAll(async () => {
    world = await furnishEveryRecord(app.diwan)
  })

  it.each(Object.keys(fields))(
    'changes %s, moves updated_at and leaves an entry that names it; null clears it',
    async name => {
      const { api } = world.company
      const { kind, feed } = kindAt(at)
      const address = world.fill(at)
      const value = await valueFor(name, fields[name] as TSchema, world)
      const before: Shown = (await api.get(address)).body.data
      const from = await cursorOfNow(app, api)
      await sleep(2)
      const answer = await api.patch(address, { [name]: value })
      expect([answer.status, answer.body.error]).toEqual([200, undefined])
      const after: Shown = (await api.get(address)).body.data
      expect(answer.body.data).toEqual(after)
      if (isShownAsSent(name)) expect(shownAs(name, after)).toEqual(value)
      expect(shownAs(name, after)).not.toEqual(shownAs(name, before))
      expect('updated_at' in after).toBe(feed?.showsUpdatedAt ?? false)
      if (feed?.showsUpdatedAt) expect(after.updated_at).not.toBe(before.updated_at)
      const change = CHANGES[name] ?? 'updated'
      const entry = { kind, change, fields: change === 'updated' ? [fieldOf(name)] : null }
      expect((await newest(world, from)).map(({ kind, change, fields }) => ({ kind, change, fields }))).toEqual(
        feed ? [entry] : [],
      )
      if (![(fields[name] as Field).type].flat().includes('null')) return
      const cleared = await api.patch(address, { [name]: null })
      const nothing = name === 'metadata' ? {} : null
      expect([cleared.status, shownAs(name, cleared.body.data) ?? null]).toEqual([200, nothing])
      expect((await api.get(address)).body.data).toEqual(cleared.body.data)
    },
  )
})

/** What is created where the changed records are: at the same address, without the record itself. */
const creations = patches.flatMap(({ name, at }) => {
  const place = at.slice(0, at.lastIndexOf('/'))
  const creation = apiEndpoints.find(({ method, at: [first] }) => method === 'POST' && first === place)
  return creation?.body ? [{ name: creation.name, of: name, at: place, body: creation.body }] : []
})

it('Every record that can be changed can be created', () => {
  expect(creations.map(({ of }) => of)).toEqual(patches.map(({ name }) => name))
})

it.each(creations)('$name stores every field that it takes', async ({ at, body }) => {
  const world = await furnishEveryRecord(app.diwan)
  const sent: Shown = {}
  for (const [name, schema] of Object.entries(body.properties as Record<string, TSchema>))
    if (!name.endsWith('_hijri')) sent[name] = await valueFor(name, schema, world)
  const { data } = await created(world.company.api.post(world.fill(at), sent))
  for (const [name, value] of Object.entries(sent))
    if (isShownAsSent(name)) expect([name, shownAs(name, data)]).toEqual([name, value])
})
