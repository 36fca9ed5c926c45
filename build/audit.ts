import { spawnSync } from 'node:child_process'

// npm run audit: asks the registry for known weaknesses of what is shipped. Fails if there are any; says so if the registry,
// as many mirrors, has no advisories.

interface Audit {
  /** What the registry answered instead of advisories. */
  message?: string
  vulnerabilities?: Record<string, { severity: string; via: (string | { title: string; url: string })[] }>
}

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' })
const { message, vulnerabilities } = JSON.parse(stdout) as Audit
if (!vulnerabilities) {
  process.stdout.write(`Not audited, because the registry has no advisories: ${message}\n`)
  process.exit(0)
}
const lines = Object.entries(vulnerabilities).map(([name, { severity, via }]) => {
  const reasons = via.map(each => (typeof each === 'string' ? `by ${each}` : `${each.title} (${each.url})`))
  return `${name}, ${severity}: ${reasons.join('; ')}\n`
})
process.stdout.write(lines.length === 0 ? 'No known weakness in what is shipped.\n' : lines.join(''))
process.exit(lines.length === 0 ? 0 : 1)
