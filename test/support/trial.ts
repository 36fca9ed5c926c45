import { readFileSync } from 'node:fs'
import { seed } from './random.ts'

/** Below this it does not matter. */
const STOLEN_PERCENT = 3

/** How many rounds a trial runs: a few, in which a promise is tried at all, or as many as before a release, with LONG=1. */
export function rounds(short: number, long: number): number {
  return process.env.LONG === '1' ? long : short
}

/** Prints what a trial has found, with its seed. */
export function tell(name: string, figures: Record<string, number | string>): void {
  const stolen = stolenPercent()
  const told =
    stolen < STOLEN_PERCENT ? figures : { ...figures, '% of the time other machines had the processors': stolen }
  const facts = Object.entries(told).map(([fact, value]) => `${fact} ${shown(value)}`)
  console.log(`${name}: ${facts.join(', ')} (seed ${seed})`)
}

function shown(value: number | string): string {
  return typeof value === 'string' ? value : value.toLocaleString('en', { maximumFractionDigits: 1 })
}

const before = processorTimes()

/** Whatever is measured on a virtual machine includes that other machines had its turn. */
function stolenPercent(): number {
  const now = processorTimes()
  return (100 * (now.stolen - before.stolen)) / Math.max(1, now.all - before.all)
}

/** Since the start of the machine, of all processors. */
function processorTimes(): { all: number; stolen: number } {
  const [, ...times] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/\s+/).map(Number) ?? []
  return { all: times.slice(0, 8).reduce((sum, each) => sum + each, 0), stolen: times[7] ?? 0 }
}
