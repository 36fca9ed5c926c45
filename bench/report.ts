import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** The result of one case. Only the ratios, which compare it with what was measured beside it, mean something elsewhere. */
export interface Row {
  name: string
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Its speed as a share of that of its floor, or of the case that it is compared with. */
  ofFloor?: number | undefined
  /** How many times as much it costs with the larger data. */
  growth: number
}

const RESULTS = new URL('results.md', import.meta.url)
const COLUMNS = ['case', 'requests/s', 'p50 ms', 'p99 ms', 'of the floor', 'growth']

export function header(): string {
  return `| ${COLUMNS.join(' | ')} |\n|---|${'---:|'.repeat(COLUMNS.length - 1)}`
}

export function line({ name, perSecond, p50Ms, p99Ms, ofFloor, growth }: Row): string {
  const cells = [perSecond.toFixed(0), p50Ms.toFixed(2), p99Ms.toFixed(2), ofFloor?.toFixed(2) ?? '', growth.toFixed(2)]
  return `| ${name} | ${cells.join(' | ')} |`
}

export function tableOf(rows: Row[]): string {
  return [header(), ...rows.map(line)].join('\n')
}

/** Saves the results of a run for later comparison, replacing the previous ones under the same title. */
export function keepResults(title: string, notes: string[], table: string): void {
  const [cpu] = cpus()
  const machine = `${cpus().length} × ${cpu?.model.trim() || process.arch}, ${Math.round(totalmem() / 2 ** 30)} GB, Node.js ${process.versions.node}`
  const facts = [
    `Machine: ${machine}.`,
    `Date: ${new Date().toISOString().slice(0, 10)}.`,
    `Commit: ${commit()}.`,
    ...notes,
  ]
  const own = `${title}\n\n${facts.join('\n')}\n\n${table}\n`
  const [start = '', ...sections] = (existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8') : INTRODUCTION).split('\n## ')
  const others = sections.filter(section => !section.startsWith(`${title}\n`))
  writeFileSync(RESULTS, [start, ...others, own].map(section => `${section.trimEnd()}\n`).join('\n## '))
}

const INTRODUCTION = `# Results of the benchmark

Kept by \`npm run bench -- --write\` and \`npm run bench:embedded -- --write\`. What the columns mean: docs/benchmark.md.
`

function commit(): string {
  return execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim()
}

/** Runs differ by this much for no particular reason. */
const TOLERANCE = 0.25

/** The cases that have become slower, by their ratios, than in the saved results. */
export function slowerThanKept(rows: Row[]): string[] {
  const kept = readResults()
  return rows.flatMap(({ name, ofFloor, growth }) => {
    const before = kept.get(name)
    if (!before) return []
    const told: string[] = []
    if (ofFloor !== undefined && before.ofFloor && ofFloor < before.ofFloor * (1 - TOLERANCE))
      told.push(`${name}: ${ofFloor.toFixed(2)} of the floor, and ${before.ofFloor.toFixed(2)} before`)
    if (growth > before.growth * (1 + TOLERANCE))
      told.push(
        `${name}: costs ${growth.toFixed(2)} times more with the larger data, and ${before.growth.toFixed(2)} before`,
      )
    return told
  })
}

function readResults(): Map<string, { ofFloor: number; growth: number }> {
  const rows = readFileSync(RESULTS, 'utf8').matchAll(/^\| ([^|]+) \|[^|]+\|[^|]+\|[^|]+\|([^|]*)\|([^|]+)\|$/gm)
  return new Map(
    [...rows].map(([, name = '', ofFloor, growth]) => [name, { ofFloor: Number(ofFloor), growth: Number(growth) }]),
  )
}
