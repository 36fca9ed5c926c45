import { createHash } from 'node:crypto'
import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { EICAR, startClamd } from '../support/clamd.ts'
import { describeWith } from '../support/describe-with.ts'
import { embedded, launch, type ServerProcess, serve } from '../support/server-process.ts'
import { until } from '../support/servers.ts'

interface File {
  id: number
  ref: string
  digest: string
  path: string
}

async function uploads(server: ServerProcess) {
  const company = await server.diwan.company()
  const base = `/projects/${(await server.diwan.project(company)).id}`
  return {
    company,
    base,
    upload: async (name: string, bytes: Buffer): Promise<{ id: number; ref: string }> =>
      (await company.api.post(`${base}/files`, { name, content_base64: bytes.toString('base64') })).body.data,
    stateOf: async (id: number): Promise<string> => (await company.api.get(`${base}/files/${id}`)).body.data.scan_state,
  }
}

async function expectVerdicts({ company, base, upload, stateOf }: Awaited<ReturnType<typeof uploads>>, engine: RegExp) {
  const [bad, good] = [await upload('plain.com', EICAR), await upload('رسالة.txt', Buffer.from('مرحبا'))]
  const states = () => Promise.all([bad, good].map(file => stateOf(file.id)))
  await until(async () => !(await states()).includes('pending'))
  expect(await states()).toEqual(['infected', 'clean'])
  expect((await company.api.get(`${base}/files/${bad.ref}/download`)).status).toBe(403)
  expect((await company.admin.get('/files?scan_state=infected')).body.data).toMatchObject([
    { scan_engine: expect.stringMatching(engine), scan_finding: expect.any(String) },
  ])
  const told = async () => (await company.admin.get('/notifications')).body.data
  await until(async () => (await told()).length > 0)
  expect(await told()).toMatchObject([{ kind: 'file_infected' }])
}

it('YARA-X finds the test virus, the uploader is told, and the rest is cleared', async () => {
  const server = await serve(embedded())
  await expectVerdicts(await uploads(server), /^YARA-X/)
  await server.end('SIGTERM')
})

describeWith('clamd', 'clamd', paths => {
  it('does the same, and while it is away files stay pending and are never called clean', async () => {
    const clamd = await startClamd(paths.clamd)
    const server = await serve({ ...embedded(), CLAMD_URL: clamd.url })
    const using = await uploads(server)
    await expectVerdicts(using, /ClamAV/)
    await clamd.kill()
    const { id } = await using.upload('late.txt', Buffer.from('late'))
    await until(async () => server.stderr().includes('A job failed'))
    expect(await using.stateOf(id)).toBe('pending')
    expect((await using.company.api.get(`${using.base}/files/${id}/download`)).status).toBe(403)
    await server.end('SIGTERM')
  })
})

it('Bytes that are lost or changed are 500 and named to the operator, and those that no file has any more are gone', async () => {
  const env = embedded()
  const server = await serve(env)
  const { company, base, upload, stateOf } = await uploads(server)
  const files = await Promise.all(
    ['kept', 'changed', 'cut', 'lost'].map(async content => {
      const { id, ref } = await upload(`${content}.txt`, Buffer.from(content))
      const digest = createHash('sha256').update(content).digest('hex')
      const path = join(env.DATA_DIR as string, 'files', String(company.id), digest.slice(0, 2), digest)
      return { id, ref, digest, path }
    }),
  )
  const same = Buffer.from('kept')
  const doomed = [await upload('same.txt', same), await upload('lone.txt', Buffer.from('other bytes'))]
  await until(async () => (await Promise.all(files.map(({ id }) => stateOf(id)))).every(state => state === 'clean'))
  for (const { ref } of doomed) expect((await company.api.delete(`/files/${ref}`)).status).toBe(200)
  await until(async () => !/diwan_jobs_waiting\{/.test(await (await fetch(`${server.url}/metrics`)).text()))
  const [kept, changed, cut, lost] = files as [File, File, File, File]
  writeFileSync(changed.path, 'degnahc')
  truncateSync(cut.path, 2)
  rmSync(lost.path)

  const download = ({ id }: File, headers = {}) => company.api.get(`${base}/files/${id}/download`, headers)
  expect((await download(kept)).status).toBe(200)
  expect((await download(changed, { range: 'bytes=0-0' })).status).toBe(500)
  const expected = ['4 files checked, 3 without their bytes, 0 contents without a file']
  for (const [file, damage, words] of [
    [changed, 'changed', 'are not what was uploaded'],
    [cut, 'changed', 'are not what was uploaded'],
    [lost, 'missing', 'are missing'],
  ] as const) {
    expect((await download(file)).body.error.code).toBe('internal_error')
    const told = new RegExp(`The bytes of file ${file.ref} of company ${company.id} are ${damage}.*${file.digest}`)
    // The log line may be written after the answer.
    await until(async () => told.test(server.stderr()))
    expected.push(`${file.ref} of company ${company.id}: its bytes ${words} (${file.digest})`)
  }
  await server.end('SIGTERM')
  const verified = launch(env, ['verify-files'])
  expect(await verified.exited).toMatchObject({ code: 1 })
  expect(verified.stdout().trim().split('\n').sort()).toEqual(expected.sort())
})
