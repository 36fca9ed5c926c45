import { HAS_TIME } from './suites.ts'

const ON_ONE_SESSION = 4

/** How often a race is tried. The embedded engine has one session: there a round shows that it works, not that nothing races. */
export function roundsOfRace(most: number): number {
  if (process.env.TEST_ENGINE !== 'postgres') return ON_ONE_SESSION
  return HAS_TIME ? most : Math.ceil(most / 4)
}

/** How many calls race. On one session they only queue, and each waits for all others: on a busy machine many would wait too long. */
export function callsInRace(most: number): number {
  return process.env.TEST_ENGINE === 'postgres' ? most : ON_ONE_SESSION
}
