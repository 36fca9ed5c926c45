import { createHash } from 'node:crypto'
import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { expectBytesOfEveryFileIn } from '../rounds/killed-uploads.ts'
import { EICAR, findClamd, startClamd } from '../support/clamd.ts'
import type { TestCompany } from '../support/diwan.ts'
import { embedded, launch, type ServerProcess, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

const KILLS = 2

interface Uploads {
  company: TestCompany
  base: string
  upload(name: string, bytes: Buffer): Promise<{ id: number; ref: string }>
  stateOf(id: number): Promise<string>
}

interface File {
  id: number
  ref: string
  digest: string
  path: string
}

async function uploads(server: ServerProcess): Promise<Uploads> {
  const company = await server.diwan.company()
  const base = `/projects/${(await server.diwan.project(company)).id}`
  return {
    company,
    base,
    upload: async (name, bytes) =>
      (await company.api.post(`${base}/files`, { name, content_base64: bytes.toString('base64') })).body.data,
    stateOf: async id => (await company.api.get(`${base}/files/${id}`)).body.data.scan_state,
  }
}

/** The smallest archive there is: one deflated member, and no more of the format than a reader needs. */
function zipOf(name: string, bytes: Buffer): Buffer {
  const data = deflateRawSync(bytes)
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(8, 4)
  fields.writeUInt32LE(crc(bytes), 10)
  fields.writeUInt32LE(data.length, 14)
  fields.writeUInt32LE(bytes.length, 18)
  fields.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data])
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, Buffer.alloc(14), Buffer.from(name)])
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(local.length, 12)
  return Buffer.concat([local, central, Buffer.from('PK\x05\x06'), end])
}

function crc(bytes: Buffer): number {
  let value = ~0
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  }
  return ~value >>> 0
}

async function expectVerdicts({ company, base, upload, stateOf }: Uploads, engine: RegExp) {
  const bad = [await upload('plain.com', EICAR), await upload('archive.zip', zipOf('a.com', EICAR))]
  const good = await upload('رسالة.txt', Buffer.from('مرحبا'))
  await until(async () =>
    (await Promise.all([...bad, good].map(file => stateOf(file.id)))).every(state => state !== 'pending'),
  )
  expect(await Promise.all([...bad, good].map(file => stateOf(file.id)))).toEqual(['infected', 'infected', 'clean'])

  for (const { ref } of bad) expect((await company.api.get(`${base}/files/${ref}/download`)).status).toBe(403)
  const shown = await company.admin.get('/files?scan_state=infected')
  expect(shown.body.data).toHaveLength(2)
  expect(shown.body.data[0]).toMatchObject({
    scan_engine: expect.stringMatching(engine),
    scan_finding: expect.any(String),
  })
  const told = async () => (await company.admin.get('/notifications')).body.data
  await until(async () => (await told()).length > 1)
  expect((await told()).map((each: { kind: string }) => each.kind)).toEqual(['file_infected', 'file_infected'])
}

describe('The virus scan', () => {
  it('of YARA-X finds the test virus plain and in an archive, tells the uploader, and clears the rest', async () => {
    await expectVerdicts(await uploads(await serve(embedded())), /^YARA-X/)
  })

  it.skipIf(!findClamd())('of clamd does the same', async () => {
    const clamd = await startClamd(findClamd() as string)
    await expectVerdicts(await uploads(await serve({ ...embedded(), CLAMD_URL: clamd.url })), /ClamAV/)
    await clamd.stop()
  })

  it.skipIf(!findClamd())('leaves files pending while clamd is away, and never calls them clean', async () => {
    const clamd = await startClamd(findClamd() as string)
    const server = await serve({ ...embedded(), CLAMD_URL: clamd.url })
    const { company, base, upload, stateOf } = await uploads(server)
    const first = await upload('first.txt', Buffer.from('first'))
    await until(async () => (await stateOf(first.id)) === 'clean')
    await clamd.kill()
    const files = await Promise.all(Array.from({ length: 5 }, (_, n) => upload(`${n}.txt`, Buffer.from(String(n)))))
    await until(async () => server.stderr().includes('A job failed'))
    for (const { id } of files) {
      expect(await stateOf(id)).toBe('pending')
      expect((await company.api.get(`${base}/files/${id}/download`)).status).toBe(403)
    }
  })
})

describe('A download', () => {
  it('is an attachment with its name and type, whole or in part, and 304 for who has it', async () => {
    const server = await serve(embedded())
    const { base, company, upload, stateOf } = await uploads(server)
    const { id } = await upload('تقرير "نهائي".txt', Buffer.from('0123456789'))
    await until(async () => (await stateOf(id)) === 'clean')
    const get = (headers: Record<string, string> = {}) =>
      fetch(`${server.url}/api/v1${base}/files/${id}/download`, {
        headers: { authorization: `Bearer ${company.key}`, ...headers },
      })

    const whole = await get()
    expect([whole.status, await whole.text()]).toEqual([200, '0123456789'])
    expect(whole.headers.get('content-disposition')).toBe(
      `attachment; filename="tqryr _nhayy_.txt"; filename*=UTF-8''${encodeURIComponent('تقرير "نهائي".txt')}`,
    )
    expect(whole.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff')
    expect(whole.headers.get('cache-control')).toMatch(/private/)

    const part = await get({ range: 'bytes=2-4' })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 2-4/10', '234'])
    expect(await (await get({ range: 'bytes=-3' })).text()).toBe('789')
    expect(await (await get({ range: 'bytes=8-' })).text()).toBe('89')
    for (const range of ['bytes=5-2', 'lines=1-2', 'bytes=0-1,3-4']) expect((await get({ range })).status).toBe(200)
    expect((await get({ 'if-none-match': whole.headers.get('etag') as string })).status).toBe(304)
  })

  it('is 304 for a list that names it, a weak tag and *, and HEAD answers as GET does', async () => {
    const server = await serve(embedded())
    const { base, company, upload, stateOf } = await uploads(server)
    const { id } = await upload('a.txt', Buffer.from('0123456789'))
    const link = await company.api.post(`${base}/links`, { name: 'b', external_url: 'https://example.com/b' })
    await until(async () => (await stateOf(id)) === 'clean')
    const ask = (method: string, headers: Record<string, string>) =>
      company.api.send(method, `${base}/files/${id}/download`, { headers })
    const tag = (await ask('GET', {})).headers.get('etag') as string

    for (const method of ['GET', 'HEAD']) {
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, `"other" ,W/${tag}`, '*']) {
        const { status, headers, body } = await ask(method, { 'if-none-match': known })
        expect([status, headers.get('etag'), body], `${method} ${known}`).toEqual([304, tag, ''])
      }
      const { status, headers } = await ask(method, { 'if-none-match': '"other"' })
      expect([status, headers.get('content-length')], method).toEqual([200, '10'])
      expect((await company.api.send(method, `${base}/files/${link.body.data.id}/download`)).status).toBe(302)
    }
  })
})

describe('Bytes', () => {
  it(`are there for every file that was acknowledged, in ${KILLS} kills in the middle of uploads`, () =>
    expectBytesOfEveryFileIn(KILLS))

  it('that are lost or changed are 500 and named to the operator, until they are uploaded again', async () => {
    const env = embedded()
    let server = await serve(env)
    const { company, base, upload, stateOf } = await uploads(server)
    const contents = { kept: 'one', changed: 'two', cut: 'three', lost: 'four' }
    const files = await Promise.all(
      Object.entries(contents).map(async ([name, content]) => {
        const { id, ref } = await upload(`${name}.txt`, Buffer.from(content))
        const digest = createHash('sha256').update(content).digest('hex')
        const path = join(env.DATA_DIR as string, 'files', String(company.id), digest.slice(0, 2), digest)
        return { name, id, ref, digest, path, content }
      }),
    )
    const [, changed, cut, lost] = files as unknown as [File, File, File, File]
    await until(async () => (await Promise.all(files.map(({ id }) => stateOf(id)))).every(state => state === 'clean'))
    writeFileSync(changed.path, 'owt')
    truncateSync(cut.path, 2)
    rmSync(lost.path)

    const download = ({ id }: File) => server.diwan.api(company.key).get(`${base}/files/${id}/download`)
    const statuses = () => Promise.all(files.map(async file => (await download(file)).status))
    expect(await statuses()).toEqual([200, 500, 500, 500])
    const { status, body } = await company.api.send('GET', `${base}/files/${changed.id}/download`, {
      headers: { range: 'bytes=0-0' },
    })
    expect([status, body.error.code]).toEqual([500, 'internal_error'])
    for (const [{ ref, digest }, damage] of [
      [changed, 'changed'],
      [cut, 'changed'],
      [lost, 'missing'],
    ] as const) {
      const told = new RegExp(`.*The bytes of file ${ref} of company ${company.id} are ${damage}.*\n`)
      // The log line may be written after the answer.
      await until(async () => told.test(server.stderr()))
      expect(server.stderr().match(told)?.[0]).toContain(digest)
    }
    await server.end('SIGTERM')

    const verified = launch(env, ['verify-files'])
    expect(await verified.exited).toMatchObject({ code: 1 })
    expect(verified.stdout().trim().split('\n').sort()).toEqual(
      [
        '4 files checked, 3 without their bytes, 0 contents without a file',
        `${changed.ref} of company ${company.id}: its bytes are not what was uploaded (${changed.digest})`,
        `${cut.ref} of company ${company.id}: its bytes are not what was uploaded (${cut.digest})`,
        `${lost.ref} of company ${company.id}: its bytes are missing (${lost.digest})`,
      ].sort(),
    )

    server = await serve(env)
    for (const { name, content } of files)
      expect(
        (await server.diwan.api(company.key).post(`${base}/files`, { name: `${name} again`, content })).status,
      ).toBe(201)
    expect(await statuses()).toEqual([200, 200, 200, 200])
  })

  it('go when their file does, and stay while another file has the same', async () => {
    const env = embedded()
    const server = await serve(env)
    const { company, upload } = await uploads(server)
    const same = Buffer.from('the same bytes')
    const [a, b] = [await upload('a.txt', same), await upload('b.txt', same)]
    const lone = await upload('c.txt', Buffer.from('other bytes'))
    for (const { ref } of [a, lone]) expect((await company.api.delete(`/files/${ref}`)).status).toBe(200)
    await until(async () => /diwan_jobs_waiting\{/.test(await (await fetch(`${server.url}/metrics`)).text()) === false)
    await server.end('SIGTERM')
    const verified = launch(env, ['verify-files'])
    await verified.exited
    expect([b.id > 0, verified.stdout()]).toEqual([
      true,
      '1 file checked, 0 without their bytes, 0 contents without a file\n',
    ])
  })
})
