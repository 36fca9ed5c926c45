import { seed } from './random.ts'

/** How many rounds a trial runs: a few, in which a promise is tried at all, or as many as before a release, with LONG=1. */
export function rounds(short: number, long: number): number {
  return process.env.LONG === '1' ? long : short
}

/** Prints what a trial has found, with its seed. */
export function tell(name: string, figures: Record<string, number | string>): void {
  const facts = Object.entries(figures).map(([fact, value]) => `${fact} ${shown(value)}`)
  console.log(`${name}: ${facts.join(', ')} (seed ${seed})`)
}

function shown(value: number | string): string {
  return typeof value === 'string' ? value : value.toLocaleString('en', { maximumFractionDigits: 1 })
}
