import { expect, it } from 'vitest'
import { createYaraScanner } from '../src/adapters/scanner/yara/scanner.ts'
import { rounds, tell } from '../test/support/trial.ts'

const SCANS = rounds(2, 20) * 1_000
const MEASURED_EVERY = 250
/** What 500 scans leak, before the thread is replaced that they run in. */
const MAY_GROW_BYTES = 33_000_000

it(`The built-in scanner stays as large as it is over ${SCANS} scans`, async () => {
  const scanner = await createYaraScanner()
  const sizes: number[] = []
  for (let n = 1; n <= SCANS; n++) {
    expect((await scanner.scan(Buffer.from(`text ${n}`), 'a.txt')).outcome).toBe('clean')
    // Its thread is replaced after a thousand scans, so that each half has a size right after that.
    if (n % MEASURED_EVERY === 0) sizes.push(process.memoryUsage().rss)
  }
  await scanner.close()
  const smallest = (some: number[]) => Math.min(...some)
  const [first, second] = [smallest(sizes.slice(0, sizes.length / 2)), smallest(sizes.slice(sizes.length / 2))]
  const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
  tell('scanner-leak', { scans: SCANS, 'smallest of the first half': mb(first), 'of the second': mb(second) })
  expect(second - first, sizes.map(mb).join(', ')).toBeLessThan(MAY_GROW_BYTES)
})
