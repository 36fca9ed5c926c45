import type { Obstacle } from '../../../domain/ports/virus-scanner.ts'

export class Unreadable extends Error {
  constructor(readonly obstacle: Obstacle) {
    super(`It cannot be looked into: ${obstacle}`)
  }
}

/** After this many obstacles, reading on does not help, and each attempt may cost as much as the whole. */
export const MAX_OBSTACLES = 8

/** Notes an obstacle and continues: the rest is still examined. */
export function attempt<T>(obstacles: Obstacle[], act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    obstacles.push(error.obstacle)
    return undefined
  }
}
