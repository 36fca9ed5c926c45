import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createYaraScanner } from '../../../src/adapters/scanner/yara/scanner.ts'
import { wordsOf } from '../../../src/domain/sentences/sentences.ts'
import { zip } from '../../support/archives.ts'
import { EICAR } from '../../support/clamd.ts'
import { until } from '../../support/servers.ts'

/** Longer than a busy machine takes from a scan to the next question. */
const REST_AFTER_MS = 1_000

it('The thread of the scanner is replaced before it grows, and no scan fails', async () => {
  const SCANS = 50
  const threads = new Set<number>()
  const scanner = await createYaraScanner({ renewAfterScans: 20, onThread: id => threads.add(id) })
  const eicarZip = zip([{ name: 'a.com', bytes: EICAR }])
  for (let n = 0; n < SCANS; n++) {
    const bytes = n % 10 === 0 ? eicarZip : Buffer.from(`text ${n}`)
    expect((await scanner.scan(bytes, 'a.zip')).outcome).toBe(n % 10 === 0 ? 'infected' : 'clean')
  }
  expect(threads.size).toBe(3)
  await scanner.close()
}, 180_000)

it('The thread of the scanner rests when nobody asks, and another answers the next who does', async () => {
  const threads = new Set<number>()
  const scanner = await createYaraScanner({ restAfterMs: REST_AFTER_MS, onThread: id => threads.add(id) })
  for (const bytes of ['one', 'two']) {
    expect((await scanner.scan(Buffer.from(bytes), 'a.txt')).outcome).toBe('clean')
    expect(wordsOf((await scanner.check()).message).en).not.toContain('at rest')
    await until(async () => {
      // Who asks how it is doing wakes it for as long again.
      await sleep(REST_AFTER_MS + 200)
      return wordsOf((await scanner.check()).message).en.includes('at rest')
    })
  }
  expect(threads.size).toBe(2)
  await scanner.close()
}, 180_000)
