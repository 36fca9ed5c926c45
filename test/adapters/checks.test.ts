import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDiskBlobs } from '../../src/adapters/blobs-disk.ts'
import { createMemoryBurst } from '../../src/adapters/burst-memory.ts'
import { createRedisBurst } from '../../src/adapters/burst-redis.ts'
import { createSmtpMailer } from '../../src/adapters/mail-smtp.ts'
import { createYaraScanner } from '../../src/adapters/scanner/yara/scanner.ts'
import { describeWith } from '../support/describe-with.ts'
import { startMailServer } from '../support/mail-server.ts'
import { startRedis } from '../support/servers.ts'

describe('A part that is asked how it is doing', () => {
  it('is fine as the folder of files, and leaves nothing behind; throws when the folder is gone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'diwan-check-'))
    const blobs = await openDiskBlobs(folder)
    expect(await blobs.check()).toMatchObject({
      message: {
        en: expect.stringMatching(/^(?:Only )?[\d.]+ [KMG]B free\.$/),
        ar: expect.stringMatching(/^المساحة المتاحة [\d.]+ (?:كيلو|ميغا|غيغا)بايت(?: فقط)?\.$/),
      },
    })
    expect(readdirSync(join(folder, 'drafts'))).toEqual([])
    rmSync(folder, { recursive: true })
    await expect(blobs.check()).rejects.toThrow('ENOENT')
  })

  it('is fine as a mail server that is up, and throws when it is down', async () => {
    const server = await startMailServer()
    const mailer = createSmtpMailer(server.url, 'Diwan <diwan@example.com>')
    expect(await mailer.check()).toMatchObject({ state: 'ok' })
    expect(server.received).toEqual([])
    await server.down()
    await expect(mailer.check()).rejects.toThrow('ECONNREFUSED')
    mailer.close()
  })

  it('is fine as the built-in scanner, also before the first scan and while it scans', async () => {
    const scanner = await createYaraScanner()
    expect(await scanner.check()).toMatchObject({
      state: 'ok',
      message: { en: expect.stringMatching(/^YARA-X .* at rest until the next file/) },
    })
    await scanner.scan(Buffer.from('text'), 'a.txt')
    expect(await scanner.check()).toMatchObject({
      state: 'ok',
      message: {
        en: expect.stringMatching(/built-in rules$/),
        ar: expect.stringMatching(/^\u2068YARA-X [\d.]+\u2069 بالقواعد المضمَّنة$/),
      },
    })
    const scans = Array.from({ length: 6 }, () => scanner.scan(Buffer.alloc(1_000_000, 'text '), 'a.txt'))
    expect(await scanner.check()).toMatchObject({ state: 'ok', message: { en: expect.stringContaining('scanning') } })
    await Promise.all(scans)
    await scanner.close()
    await expect(scanner.check()).rejects.toThrow('closed')
  })

  it('is off as a throttle of this process alone', async () => {
    const burst = createMemoryBurst(5)
    expect(await burst.check()).toMatchObject({ state: 'off', advice: expect.stringContaining('REDIS_URL') })
    await burst.close()
  })
})

describeWith('redis', 'Redis', ({ redis: program }) => {
  it('is fine when it answers, and throws when it is gone', async () => {
    const redis = await startRedis(program)
    const burst = createRedisBurst(redis.url, { perMinute: 5, onStateChange: () => {} })
    await expect.poll(() => burst.check().catch(() => undefined)).toMatchObject({ state: 'ok' })
    await redis.stop()
    await expect(burst.check()).rejects.toThrow('Redis does not answer')
    await burst.close()
  })
})
