import { expect, it } from 'vitest'
import { createYaraScanner } from '../src/adapters/scanner/yara/scanner.ts'
import { trialRounds } from '../test/support/trial-rounds.ts'

const SCANS = trialRounds(20) * 1_000
const WARM_UP = 1_500
const MAY_GROW_BYTES = 300 * 1024 * 1024

it(`The built-in scanner stays as large as it is over ${SCANS} scans`, async () => {
  const scanner = await createYaraScanner()
  const scanSome = async (count: number) => {
    for (let n = 0; n < count; n++)
      expect((await scanner.scan(Buffer.from(`text ${n}`), 'a.txt')).outcome).toBe('clean')
    return process.memoryUsage().rss
  }
  const before = await scanSome(WARM_UP)
  const sizes: number[] = []
  let slowestMs = 0
  for (let done = WARM_UP; done < SCANS; done += 500) {
    const startedAt = performance.now()
    sizes.push(await scanSome(500))
    slowestMs = Math.max(slowestMs, (performance.now() - startedAt) / 500)
    console.log(
      `${done + 500} scans: ${Math.round((sizes.at(-1) ?? 0) / 1e6)} MB, ${slowestMs.toFixed(1)} ms a scan at worst`,
    )
  }
  await scanner.close()
  // If its thread were never replaced, it would grow by 66 kB per scan: 1.3 GB.
  expect(Math.max(...sizes) - before).toBeLessThan(MAY_GROW_BYTES)
}, 1_800_000)
