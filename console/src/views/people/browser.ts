// Every browser claims to be the older ones too: the first that is found is the one.
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
  ['curl', 'curl'],
] as const
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** What a browser says that it is, in short; undefined when it says nothing that we know. */
export function browserOf(userAgent: string | null): string | undefined {
  if (!userAgent) return undefined
  const named = (names: readonly (readonly [string, string])[]) => names.find(([mark]) => userAgent.includes(mark))?.[1]
  return [named(BROWSERS), named(SYSTEMS)].filter(Boolean).join(', ') || undefined
}
