import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { FAULTS, plant } from './planted-faults.ts'

// npm run trial -- <name> … [--seed n] [--long] [--planted]
// Without a name: all of them. The same seed draws the same faults; a trial that fails tells its own.
// With --planted each runs on a copy of the project whose promise has been broken on purpose, and has to fail.

const ENDING = '.trial.ts'
const known = readdirSync(new URL('.', import.meta.url)).flatMap(file =>
  file.endsWith(ENDING) ? [file.slice(0, -ENDING.length)] : [],
)
const { values, positionals } = asked()
const unknown = positionals.find(name => !known.includes(name))
if (unknown !== undefined) refuse(`There is no trial "${unknown}".`)
if (values.seed !== undefined && !/^\d{1,15}$/.test(values.seed)) refuse('--seed must be a whole number.')
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31))
process.stdout.write(`Seed ${seed}, ${values.long ? 'long' : 'short'}\n`)
const names = positionals.length > 0 ? positionals : known
if (values.planted) process.exit(names.filter(name => !failsWithItsFault(name)).length === 0 ? 0 : 1)
process.exit(run(names, '.', 'inherit').status ?? 1)

function asked() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        seed: { type: 'string' },
        long: { type: 'boolean', default: false },
        planted: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    return refuse((error as Error).message)
  }
}

function refuse(problem: string): never {
  process.stderr.write(`${problem}
Use: npm run trial -- <name> … [--seed n] [--long] [--planted]
The trials are: ${known.join(', ')}
`)
  process.exit(2)
}

function run(names: string[], cwd: string, stdio: 'inherit' | 'pipe', more: string[] = []): SpawnSyncReturns<string> {
  const files = names.map(name => `trials/${name}${ENDING}`)
  return spawnSync('vitest', ['run', '--config', 'vitest.trials.config.ts', ...more, ...files], {
    cwd,
    stdio,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, SEED: seed, ...(values.long && { LONG: '1' }) },
  })
}

function failsWithItsFault(name: string): boolean {
  const fault = FAULTS[name]
  if (!fault) {
    process.stdout.write(`${name}: has no fault to be planted\n`)
    return false
  }
  const copy = plant(fault)
  // One failure is enough.
  const { status, stdout, stderr } = run([name], copy.folder, 'pipe', ['--bail=1'])
  copy.remove()
  const said = stripVTControlCharacters(stderr + stdout)
  // What failed: the error, how two values differ, and the lines of the test around it.
  const [failure = ''] = /^ FAIL .*(?=^⎯+\[)/ms.exec(said) ?? []
  const isNoticed = fault.noticed.test(failure)
  const found = /^\w*Error: .+$/m.exec(failure)?.[0]
  const outcome = isNoticed ? `noticed, ${found}` : status === 0 ? 'NOT NOTICED' : 'FAILED FOR ANOTHER REASON'
  process.stdout.write(`${name}: ${fault.breaks}: ${outcome}\n`)
  if (!isNoticed) process.stdout.write(`${said.slice(-2_000)}\n`)
  return isNoticed
}
