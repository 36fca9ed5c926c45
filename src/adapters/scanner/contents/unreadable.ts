import type { Obstacle } from '../../../domain/ports/virus-scanner.ts'

export class Unreadable extends Error {
  constructor(readonly obstacle: Obstacle) {
    super(`It cannot be looked into: ${obstacle}`)
  }
}

/** What is broken so often is not mended by reading on, and each attempt may cost as much as the whole. */
export const MAX_OBSTACLES = 8

/** Notes what stands in the way and goes on: the rest is still looked at. */
export function attempt<T>(obstacles: Obstacle[], act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    obstacles.push(error.obstacle)
    return undefined
  }
}
