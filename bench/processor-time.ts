import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of the clock by which Linux counts processor time. */
const TICKS_PER_SECOND = 100

interface Process {
  parent: number
  ticks: number
}

/** The processor time in milliseconds that a process and its descendants have used, those that have ended included. */
export function processorMs(pid: number): number {
  const processes = new Map<number, Process>()
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) && read(Number(name))
    if (found) processes.set(Number(name), found)
  }
  const isWithin = (one: number): boolean => {
    const parent = processes.get(one)?.parent
    return one === pid || (parent !== undefined && isWithin(parent))
  }
  const ticks = [...processes].reduce((sum, [one, process]) => (isWithin(one) ? sum + process.ticks : sum), 0)
  return (ticks * 1000) / TICKS_PER_SECOND
}

/** Undefined for a process that has ended meanwhile. */
function read(pid: number): Process | undefined {
  try {
    // The name, in parentheses, may contain anything. After it: state, parent, …, and from the twelfth on the times.
    const [, parent, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const times = fields.slice(9, 13).map(Number)
    return { parent: Number(parent), ticks: times.reduce((sum, time) => sum + time, 0) }
  } catch {
    return undefined
  }
}
