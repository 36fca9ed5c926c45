import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Recorded } from '../test/support/recorded-statements.ts'
import { describeStatements } from './described-statements.ts'
import { missingCompany } from './named-companies.ts'
import { openRowTypes } from './row-types.ts'

// Every statement that the tests send is prepared against the schema, and what it returns is compared with the type of row that
// the code says it reads. Names and types are compared; whether a column can be null is not: PostgreSQL does not tell. Each must also name its company.

/** These send most of what endpoints send, in a minute. Arguments name others: `npm run check:sql -- test/api test/admin`. */
const TESTS = [
  'test/api/writable-fields.test.ts',
  'test/api/statements-of-reads.test.ts',
  'test/api/statements-of-writes.test.ts',
  'test/admin/keys.test.ts',
  'test/admin/users.test.ts',
  'test/admin/webhooks.test.ts',
]

const folder = mkdtempSync(join(tmpdir(), 'diwan-statements-'))
try {
  process.exitCode = await check()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function check(): Promise<number> {
  const tests = process.argv.length > 2 ? process.argv.slice(2) : TESTS
  const env = { ...process.env, RECORD_STATEMENTS: folder }
  const run = spawnSync('npx', ['vitest', 'run', '--project', 'embedded', '--reporter', 'dot', ...tests], {
    env,
    stdio: 'inherit',
  })
  if (run.status !== 0) return 1
  const recorded = readRecorded()
  const described = await describeStatements(new Set(recorded.map(({ text }) => text)))
  const rowTypes = openRowTypes()
  const faults = new Set<string>()
  const read = new Set<string>()
  for (const { text, places } of recorded) {
    const missing = missingCompany({ text, places })
    if (missing) faults.add(`${places[0]}: ${missing}\n${text}`)
    const columns = described.get(text)
    if (!columns) continue
    if (columns instanceof Error) {
      faults.add(`${places[0]}: ${columns.message}\n${text}`)
      continue
    }
    const row = rowTypes.at(places)
    if (row.size > 0) read.add(places[0] as string)
    for (const [field, wanted] of row) {
      const given = columns.get(field)
      if (given === undefined ? !wanted.optional : given !== 'anything' && !wanted.kinds.has(given))
        faults.add(
          `${places[0]}: ${field} is ${[...wanted.kinds].join(' or ')} in its row type and ${given ?? 'not a column'} in the statement`,
        )
    }
  }
  rowTypes.close()
  for (const fault of faults) console.error(fault)
  console.log(`${described.size} statements prepared, ${read.size} row types compared, ${faults.size} faults`)
  return faults.size === 0 ? 0 : 1
}

function readRecorded(): Recorded[] {
  const lines = readdirSync(folder).flatMap(file => readFileSync(join(folder, file), 'utf8').trim().split('\n'))
  return [...new Set(lines)].map(line => JSON.parse(line))
}
