import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createArchive } from '../../cli/src/backup/archive.ts'
import { FORMAT, FORMAT_VERSION, type Manifest } from '../../cli/src/backup/manifest.ts'
import { verifyBackup } from '../../cli/src/backup/verify.ts'
import { migrationNames } from '../../src/db/migration-files.ts'

const bytes = Buffer.from('0123456789')
const digest = createHash('sha256').update(bytes).digest('hex')
const row = { company_id: 1, digest, scan_state: 'clean' }

let folder: string
let manifest: Manifest
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'diwan-archive-'))
  manifest = {
    format: FORMAT,
    format_version: FORMAT_VERSION,
    version: '1.6.0',
    migration: (await migrationNames()).at(-1) as string,
    engine: 'embedded',
    taken_at: '2026-11-15T08:30:00.000Z',
    point: { cursor: '', snapshot: '' },
    server_secret: { salt: '', fingerprint: '' },
    tables: [{ name: 'files', columns: Object.keys(row), rows: 2 }],
    files: { count: 1, size_bytes: bytes.length },
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Entries = Record<string, string | Buffer>

function whole(): Entries {
  const lines = [row, { ...row, digest: null }].map(each => `${JSON.stringify(each)}\n`)
  return {
    'manifest.json': JSON.stringify(manifest),
    'sequences.json': '[]',
    'tables/files/000001.jsonl.gz': gzipSync(lines.join('')),
    [`files/1/${digest}`]: bytes,
    'missing-files.json': '[]',
  }
}

async function written(entries: Entries): Promise<Buffer> {
  const pieces: Buffer[] = []
  const archive = createArchive(async piece => void pieces.push(Buffer.from(piece)), new Date(manifest.taken_at))
  for (const [name, content] of Object.entries(entries)) {
    const piece = Buffer.from(content)
    await archive.add(name, piece.length, [piece])
  }
  await archive.finish()
  return Buffer.concat(pieces)
}

function verified(archive: Buffer) {
  const path = join(folder, 'backup.tar')
  writeFileSync(path, archive)
  return verifyBackup(path, undefined)
}

const without = (name: string) => Object.fromEntries(Object.entries(whole()).filter(([each]) => each !== name))

describe('A backup', () => {
  it('is verified when it is whole', async () => {
    expect(await verified(await written(whole()))).toMatchObject({ rows: 2, files: 1, manifest })
  })

  it('is an archive that tar unpacks, with sums that sha256sum checks', async () => {
    const path = join(folder, 'whole.tar')
    writeFileSync(path, await written(whole()))
    const unpacked = mkdtempSync(join(folder, 'unpacked-'))
    execFileSync('tar', ['--extract', '--file', path], { cwd: unpacked })
    expect(readdirSync(unpacked).sort()).toEqual([
      'SHA256SUMS',
      'files',
      'manifest.json',
      'missing-files.json',
      'sequences.json',
      'tables',
    ])
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: unpacked })
    expect(readFileSync(join(unpacked, 'files/1', digest))).toEqual(bytes)
  })

  it('is refused when one of its bytes is another, wherever', async () => {
    const archive = await written(whole())
    const path = join(folder, 'backup.tar')
    // Every seventh byte, so that each bit of a byte has its turn.
    for (let at = 0; at < archive.length; at += 7) {
      const damaged = Buffer.from(archive)
      damaged.writeUInt8(archive.readUInt8(at) ^ (1 << (at % 8)), at)
      const refusal = await verified(damaged).then(
        () => `byte ${at} was not missed`,
        error => error.message,
      )
      expect(refusal).toMatch(new RegExp(`^${path} cannot be restored: `))
    }
  })

  it('is refused wherever it is cut off, and when something follows', async () => {
    const archive = await written(whole())
    for (let length = 0; length < archive.length; length += 37)
      await expect(verified(archive.subarray(0, length))).rejects.toThrow('cannot be restored')
    await expect(verified(Buffer.concat([archive, Buffer.alloc(512)]))).rejects.toThrow('does not end as it should')
  })

  it('is refused without any of its parts, with what nobody knows, and with rows or a manifest that do not fit', async () => {
    const named = (said: object) => ({ ...whole(), 'manifest.json': JSON.stringify({ ...manifest, ...said }) })
    const rows = (line: string) => ({ ...whole(), 'tables/files/000001.jsonl.gz': gzipSync(line) })
    for (const [entries, why] of [
      [without('manifest.json'), 'does not begin with manifest.json'],
      [without('tables/files/000001.jsonl.gz'), 'of 2 rows of files there are 0'],
      [without(`files/1/${digest}`), `files/1/${digest} is missing`],
      [{ ...whole(), 'more.json': '{}' }, 'more.json is not known'],
      [rows('{"company_id": 1\n'), 'tables/files/000001.jsonl.gz'],
      [rows('{"company_id":1,"digest":null}\n'), 'tables/files/000001.jsonl.gz'],
      [named({ format: 'another' }), 'it is not a backup of Diwan'],
      [named({ format_version: 2, version: '9.0.0' }), 'by Diwan 9.0.0, in a format that this version does not know'],
      [named({ migration: '9999_later.sql', version: '9.0.0' }), 'by Diwan 9.0.0, which is newer than this one'],
    ] as const)
      await expect(verified(await written(entries)), why).rejects.toThrow(why)
  })

  it('says which files had lost their bytes before it was taken', async () => {
    const entries = { ...without(`files/1/${digest}`), 'missing-files.json': JSON.stringify([`1/${digest}`]) }
    expect((await verified(await written(entries))).missing).toEqual(new Set([`files/1/${digest}`]))
  })
})

it('An archive that another program made is no backup', async () => {
  const other = join(folder, 'other.tar')
  execFileSync('tar', ['--create', '--file', other, '-C', process.cwd(), 'package.json'])
  await expect(verifyBackup(other, undefined)).rejects.toThrow('is not a backup of Diwan')
})
