import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClamdScanner } from '../../src/adapters/scanner/clamd.ts'
import { createYaraScanner } from '../../src/adapters/scanner/yara/scanner.ts'
import type { Scanner } from '../../src/domain/ports/virus-scanner.ts'
import { useApp } from '../support/app.ts'
import { zip } from '../support/archives.ts'
import { EICAR, findClamd, startClamd } from '../support/clamd.ts'
import type { TestCompany } from '../support/diwan.ts'
import { expectRefusal } from '../support/refusal.ts'
import { until } from '../support/servers.ts'
import { startTestWorker } from '../support/worker.ts'

const app = useApp()
const LOCKED = 'is locked with a password, so it could not be looked into'
const lockedZip = zip([{ name: 'a.txt', bytes: Buffer.from('secret'), flags: 1 }])

/** Longer than a test takes. */
const SLOW_SCAN_MS = 120_000

let rulesFolder: string
let scanner: Scanner
beforeAll(async () => {
  rulesFolder = mkdtempSync(join(tmpdir(), 'diwan-slow-rules-'))
  // This rule takes minutes on a megabyte of one letter.
  writeFileSync(join(rulesFolder, 'slow.yar'), 'rule slow { strings: $a = /a.*b.*c.*d/s condition: $a }')
  scanner = await createYaraScanner({ rulesFolder, timeLimitMs: SLOW_SCAN_MS })
})
afterAll(async () => {
  await scanner.close()
  rmSync(rulesFolder, { recursive: true, force: true })
})

async function uploadsOf(company: TestCompany) {
  const base = `/projects/${(await app.diwan.project(company)).id}/files`
  return {
    base,
    upload: async (name: string, bytes: Buffer): Promise<{ id: number; ref: string }> =>
      (await company.api.post(base, { name, content_base64: bytes.toString('base64') })).body.data,
    file: async (id: number) => (await company.api.get(`${base}/${id}`)).body.data,
  }
}

const statesOfJobs = async (company: TestCompany): Promise<string[]> =>
  (
    await app.database.db.raw<{ state: string }>(
      `select state::text from pgboss.job where name = 'scan-file' and (data ->> 'company_id')::bigint = $1 order by created_on, id`,
      [company.id],
    )
  ).map(({ state }) => state)

describe('A file that cannot be looked into', () => {
  it('has failed, says why to all who ask, keeps its bytes, and is scanned again when an administrator asks', async () => {
    const company = await app.diwan.company()
    const { base, upload, file } = await uploadsOf(company)
    const { id, ref } = await upload('محضر.zip', lockedZip)
    expect(await file(id)).toMatchObject({ scan_state: 'pending', scan_message: null })
    const worker = startTestWorker(app, scanner)
    await until(async () => (await file(id)).scan_state !== 'pending')
    expect(await file(id)).toMatchObject({ scan_state: 'failed', scan_message: LOCKED, downloadable: false })
    const listed = (await company.api.get(base)).body.data.files
    expect(listed).toMatchObject([{ id, scan_state: 'failed', scan_message: LOCKED }])
    expectRefusal(await company.api.get(`${base}/${ref}/download`), 403, 'forbidden', `The file ${LOCKED}.`)

    const told = async () => (await company.admin.get('/notifications')).body.data
    await until(async () => (await told()).length > 0)
    expect((await told()).map((each: { kind: string }) => each.kind)).toEqual(['file_unscanned'])
    const removals = await app.database.db.raw(
      `select 1 from pgboss.job where name = 'remove-bytes' and (data ->> 'company_id')::bigint = $1`,
      [company.id],
    )
    expect(removals).toEqual([])
    await worker.stop()

    const again = await company.admin.post(`/files/${ref}/scan`)
    expect([again.status, again.body.data]).toEqual([
      200,
      expect.objectContaining({ scan_state: 'pending', scan_message: null, scan_finding: null }),
    ])
    const second = startTestWorker(app, scanner)
    await until(async () => (await file(id)).scan_state === 'failed')
    await second.stop()
    const shown = (await company.admin.get('/files?scan_state=failed')).body.data
    expect(shown).toMatchObject([{ ref, scan_finding: 'Archive.Encrypted', scan_message: LOCKED }])
  })

  it.skipIf(!findClamd())('may be cleared by clamd', async () => {
    const company = await app.diwan.company()
    const { upload, file } = await uploadsOf(company)
    const { id } = await upload('a.zip', lockedZip)
    const clamd = await startClamd(findClamd() as string)
    const worker = startTestWorker(app, createClamdScanner(clamd.url))
    await until(async () => (await file(id)).scan_state !== 'pending')
    expect(await file(id)).toMatchObject({ scan_state: 'clean', scan_message: null, downloadable: true })
    await worker.stop()
    await clamd.stop()
  })
})

it('An infected file says what was found', async () => {
  const company = await app.diwan.company()
  const { upload, file } = await uploadsOf(company)
  const { id } = await upload('a.txt', EICAR)
  const worker = startTestWorker(app, scanner)
  await until(async () => (await file(id)).scan_state !== 'pending')
  expect(await file(id)).toMatchObject({
    scan_state: 'infected',
    scan_message: 'is infected (Eicar-Test-File), so its content was removed',
  })
  await worker.stop()
})

it("One company's slow scans do not keep another's waiting", { tags: 'long' }, async () => {
  const [busy, calm] = [await app.diwan.company(), await app.diwan.company()]
  const many = await uploadsOf(busy)
  const one = await uploadsOf(calm)
  // The scan of each takes as long as the scanner allows.
  for (let n = 0; n < 4; n++) await many.upload(`${n}.txt`, Buffer.alloc(1_000_000 + n, 'a'))
  const worker = startTestWorker(app, scanner)
  await until(async () => (await statesOfJobs(busy)).includes('active'))
  const { id } = await one.upload('small.txt', Buffer.from('small'))
  await until(async () => (await one.file(id)).scan_state === 'clean', 50_000)
  expect(await statesOfJobs(busy)).toEqual(['active', 'created', 'created', 'created'])
  await worker.stop()
})
