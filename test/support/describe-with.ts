import { describe, it } from 'vitest'
import { findPart, type Part } from './parts.ts'

const NEEDS = 'needs '

/** The programs that a skipped test names. */
export function neededIn(name: string): string[] {
  return name.startsWith(NEEDS) ? name.slice(NEEDS.length).split(', ') : []
}

/**
 * A `describe` that is skipped, by its name, where the machine lacks one of these programs. The body gets the path of each. It is the
 * only way for a test to ask for a program.
 */
export function describeWith<P extends Part>(
  needed: P | readonly P[],
  name: string,
  body: (paths: Record<P, string>) => void,
): void {
  const paths = [needed].flat().map(part => [part, findPart(part)] as const)
  const missing = paths.filter(([, path]) => path === undefined).map(([part]) => part)
  if (missing.length === 0) describe(name, () => body(Object.fromEntries(paths) as Record<P, string>))
  else describe(name, () => it.skipIf(true)(NEEDS + missing.join(', '), () => {}))
}
