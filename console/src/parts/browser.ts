const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const SYSTEMS = [
  ['Windows', 'Windows'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** A browser's user agent in the two words people know it by; undefined for anything else. */
export function browserName(userAgent: string | null): string | undefined {
  const find = (known: readonly (readonly [string, string])[]) => known.find(([sign]) => userAgent?.includes(sign))?.[1]
  return [find(BROWSERS), find(SYSTEMS)].filter(Boolean).join(' · ') || undefined
}
