import { isIP } from 'node:net'

// How settings are read from their texts. What a text is wrong about is told under the name of its variable.

/** A setting that cannot be used. The message is the one line that the operator sees. */
export class ConfigError extends Error {}

export function integer(
  name: string,
  text: string | undefined,
  { fallback, minimum, maximum }: { fallback: number; minimum: number; maximum: number },
) {
  if (text === undefined) return fallback
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= minimum && value <= maximum) return value
  throw new ConfigError(`${name} must be a whole number from ${minimum} to ${maximum}, not ${JSON.stringify(text)}`)
}

export function url(name: string, text: string | undefined, beginnings: string[]): string | undefined {
  if (text === undefined) return undefined
  // The value may contain a password, so it is not repeated.
  if (!URL.canParse(text) || !beginnings.some(beginning => text.startsWith(beginning))) {
    throw new ConfigError(`${name} must be a URL that begins with ${beginnings.join(' or ')}`)
  }
  return text
}

export function boolean(name: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (/^(1|true|on|yes)$/i.test(text)) return true
  if (/^(0|false|off|no)$/i.test(text)) return false
  throw new ConfigError(`${name} must be on or off, not ${JSON.stringify(text)}`)
}

export function oneOf(name: string, text: string, values: string[]): string {
  if (values.includes(text)) return text
  throw new ConfigError(`${name} must be one of ${values.join(', ')}, not ${JSON.stringify(text)}`)
}

export function secret(name: string, text: string | undefined): string | undefined {
  if (text === undefined || (text.length >= 8 && !/\s/.test(text))) return text
  throw new ConfigError(`${name} must have at least 8 characters and no spaces; 32 random ones are better`)
}

/** As in `api-key=abc,x-tenant=5`. Values may be percent-encoded, and are secrets: they are not repeated. */
export function headers(name: string, text: string | undefined): Record<string, string> {
  try {
    const pairs = (text ?? '').split(',').filter(part => part.trim() !== '')
    const found = pairs.map((pair): [string, string] => {
      const end = pair.indexOf('=')
      if (end < 1) throw new Error('A header has no name')
      return [pair.slice(0, end).trim(), decodeURIComponent(pair.slice(end + 1).trim())]
    })
    return Object.fromEntries(new Headers(found))
  } catch {
    throw new ConfigError(`${name} must be a list such as api-key=abc,x-tenant=5`)
  }
}

export function isSubnet(text: string): boolean {
  if (/^(loopback|linklocal|uniquelocal)$/.test(text)) return true
  const [, address = '', , bits = '0'] = text.match(/^([^/]+)(\/(\d{1,3}))?$/) ?? []
  return isIP(address) !== 0 && Number(bits) <= (isIP(address) === 4 ? 32 : 128)
}
