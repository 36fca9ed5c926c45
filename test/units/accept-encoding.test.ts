import { describe, expect, it } from 'vitest'
import { preferredEncoding } from '../../src/lib/accept-encoding.ts'

describe('The encoding that a client prefers', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['GZip;Q=1.0', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=0', undefined],
    ['gzip;q=0.000, *', 'br'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['*;q=0, gzip', 'gzip'],
    ['identity', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity;q=0', undefined],
    ['gzip ; q=0.3', 'gzip'],
    ['gzip;q=x', 'gzip'],
    ['gzip;q=1.2.3', undefined],
    ['xgzip, gzipx', undefined],
  ])('of %j is %s', (header, expected) => expect(preferredEncoding(header, ['br', 'gzip'])).toBe(expected))
})
