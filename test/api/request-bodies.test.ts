import { connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import type { TestCompany } from '../support/diwan.ts'
import { requestText, sendRaw } from '../support/raw-http.ts'
import { until } from '../support/servers.ts'

const app = useApp()
const ANNOUNCED = 31_000_000
const MEGABYTE = 1024 * 1024

let company: TestCompany
let project: string
let other: { company: TestCompany; project: string }
beforeAll(async () => {
  company = await app.diwan.company()
  project = await newProject(company)
  const second = await app.diwan.company()
  other = { company: second, project: await newProject(second) }
})

async function newProject({ api }: TestCompany): Promise<string> {
  return (await api.post('/projects', { name: 'Website launch' })).body.data.id
}

/** Sends only the beginning of an upload. */
async function beginUpload(sentBytes: number, { key } = company, to = project): Promise<Socket> {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const head = requestText('POST', `/api/v1/projects/${to}/files`, {
    host: 'diwan',
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': String(ANNOUNCED),
  })
  await new Promise(resolve => socket.write(head + '{'.repeat(sentBytes), resolve))
  return socket
}

async function upload({ company, project }: typeof other, megabytes: number) {
  const content_base64 = Buffer.alloc(megabytes * MEGABYTE, 7).toString('base64')
  return company.api.post(`/projects/${project}/files`, { name: 'plan.bin', content_base64 })
}

describe('Large bodies', () => {
  it('that are announced and do not come keep nobody waiting', async () => {
    const idle = await Promise.all(Array.from({ length: 8 }, () => beginUpload(1)))
    expect((await upload(other, 4)).status).toBe(201)
    expect((await upload({ company, project }, 4)).status).toBe(201)
    for (const socket of idle) socket.destroy()
    // Nor those of clients that leave in the middle.
    for (const sentBytes of [0, 20 * MEGABYTE, 20 * MEGABYTE]) (await beginUpload(sentBytes)).destroy()
    expect((await upload({ company, project }, 4)).status).toBe(201)
  })

  it('of one company that come half and stop leave room for those of another', { tags: 'long' }, async () => {
    const half = await Promise.all(Array.from({ length: 3 }, () => beginUpload(16 * MEGABYTE)))
    expect((await upload(other, 4)).status).toBe(201)
    for (const socket of half) socket.destroy()
    await until(async () => (await upload({ company, project }, 4)).status === 201)
  })

  it('that arrive all at once are all stored', async () => {
    // An upload that finds no room in time is told to try again.
    const insist = async (): Promise<number> => {
      const { status } = await upload({ company, project }, 4)
      return status === 503 ? insist() : status
    }
    const statuses = await Promise.all(Array.from({ length: 8 }, insist))
    expect(statuses).toEqual(Array(8).fill(201))
  })
})

describe('A body that stops coming', () => {
  it('is 503 and says so, and what had been begun is not done', { tags: 'long' }, async () => {
    const before = (await company.api.get('/projects')).body.meta.total
    const answer = await sendRaw(
      app.url,
      requestText(
        'POST',
        '/api/v1/projects',
        { host: 'diwan', authorization: `Bearer ${company.key}`, 'content-length': '100' },
        '{"name":"Website',
      ),
    )
    expect(answer.status).toBe(503)
    expect(answer.body.error).toEqual({ code: 'unavailable', message: 'The body of the request stopped coming.' })
    expect((await company.api.get('/projects')).body.meta.total).toBe(before)
  })
})
