import { plainNumber } from './digits.ts'

export const MOST_MINUTES = 10_000_000

/**
 * Minutes from one of three notations that mean the same: `1:30`, `1.5` (hours) and `90` (minutes). Undefined for anything
 * else, including zero and negatives: nobody reports that something took no time.
 */
export function parseMinutes(text: string): number | undefined {
  const value = plainNumber(text).trim().replace('٫', '.')
  const minutes = clock(value) ?? hours(value) ?? whole(value)
  return minutes !== undefined && minutes > 0 && minutes <= MOST_MINUTES ? minutes : undefined
}

function clock(value: string): number | undefined {
  const [, hours, minutes] = value.match(/^(\d{1,6}):([0-5]\d)$/) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

function hours(value: string): number | undefined {
  return /^\d{0,6}\.\d{1,50}$/.test(value) ? Math.round(Number(value) * 60) : undefined
}

function whole(value: string): number | undefined {
  return /^\d{1,8}$/.test(value) ? Number(value) : undefined
}
