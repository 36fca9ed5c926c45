import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CredentialPrefix,
  companyNamedIn,
  digestOf,
  isWellFormed,
  mintCredential,
} from '../../src/domain/access/credentials.ts'

const SECRET = 'server-secret'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIXES: CredentialPrefix[] = ['svc_api_', 'svc_api_test_', 'svc_']

const minted = fc.constantFrom(...PREFIXES).map(prefix => ({ prefix, token: mintCredential(prefix, SECRET).token }))

describe.each(PREFIXES)('A credential with the prefix %s', prefix => {
  it('is the prefix, 43 characters of secret and 6 of checksum, all base 62', () => {
    const { token, digest, last_four } = mintCredential(prefix, SECRET)
    expect(token).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{43}[0-9A-Za-z]{6}$`))
    expect(isWellFormed(prefix, token)).toBe(true)
    expect(last_four).toBe(token.slice(-4))
    expect(digest).toEqual(digestOf(token, SECRET))
  })

  it('is never made twice, and uses the whole alphabet', () => {
    const secrets = Array.from({ length: 500 }, () => mintCredential(prefix, SECRET).token.slice(prefix.length, -6))
    expect(new Set(secrets).size).toBe(500)
    expect(new Set(secrets.join('')).size).toBe(62)
  })

  it('is refused after any single-character typo', () => {
    const { token } = mintCredential(prefix, SECRET)
    for (let at = 0; at < token.length; at++) {
      for (const other of `${BASE62}_- é`.replace(token[at] as string, ''))
        expect([at, isWellFormed(prefix, token.slice(0, at) + other + token.slice(at + 1))]).toEqual([at, false])
    }
  })

  it('is not one of the other prefix, not even with the prefix changed', () => {
    const [other] = PREFIXES.filter(each => each !== prefix) as [CredentialPrefix]
    const { token } = mintCredential(prefix, SECRET)
    expect(isWellFormed(other, token)).toBe(false)
    expect(isWellFormed(other, other + token.slice(prefix.length))).toBe(false)
  })
})

describe('A credential of a company that lives in a cell', () => {
  it.each(PREFIXES)('has its number between %s and the secret, and the checksum covers it', prefix => {
    const { token } = mintCredential(prefix, SECRET, 7_000_001)
    expect(token).toMatch(new RegExp(`^${prefix}7000001_[0-9A-Za-z]{49}$`))
    expect([isWellFormed(prefix, token), companyNamedIn(token)]).toEqual([true, 7_000_001])
    for (const other of ['7000002_', '07000001_', '_', '', '7_000001_'])
      expect(isWellFormed(prefix, token.replace('7000001_', other))).toBe(false)
    expect(PREFIXES.filter(each => isWellFormed(each, token))).toEqual([prefix])
    expect(companyNamedIn(mintCredential(prefix, SECRET).token)).toBeUndefined()
  })
})

describe('A mistyped credential', () => {
  it('is refused when a character is missing, added or two stand in the wrong order', () => {
    fc.assert(
      fc.property(minted, fc.nat(), fc.constantFrom(...BASE62), ({ prefix, token }, n, extra) => {
        const at = prefix.length + (n % 48)
        const [a, b] = [token[at] as string, token[at + 1] as string]
        const missing = token.slice(0, at) + token.slice(at + 1)
        const added = token.slice(0, at) + extra + token.slice(at)
        const swapped = token.slice(0, at) + b + a + token.slice(at + 2)
        expect([missing, added].map(text => isWellFormed(prefix, text))).toEqual([false, false])
        expect(isWellFormed(prefix, swapped)).toBe(a === b)
      }),
    )
  })

  it('is refused whatever else it is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PREFIXES), fc.string({ unit: 'binary' }), (prefix, text) => {
        expect([isWellFormed(prefix, text), isWellFormed(prefix, prefix + text)]).toEqual([false, false])
      }),
    )
    const { token } = mintCredential('svc_', SECRET)
    for (const text of [`${token}\n`, ` ${token}`, token.toUpperCase(), ''])
      expect(isWellFormed('svc_', text)).toBe(false)
  })
})

describe('A digest', () => {
  it('depends on the server secret, and gives nothing of the token away', () => {
    const { token } = mintCredential('svc_api_', SECRET)
    expect(digestOf(token, SECRET)).toEqual(digestOf(token, SECRET))
    expect(digestOf(token, SECRET)).not.toEqual(digestOf(token, 'another-secret'))
    expect(digestOf(token, SECRET)).toHaveLength(32)
  })
})
