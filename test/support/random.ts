/** What faults and choices are drawn from. With SEED, every run draws the same ones. */
export const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))

/** From 0 to 1, as Math.random. */
export const random = drawsFrom(seed)

/** In an order that the seed draws. */
export function shuffled<T>(all: readonly T[]): T[] {
  return all
    .map(each => ({ each, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each)
}

/** The numbers that follow from this seed, from 0 to 1. */
export function drawsFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
