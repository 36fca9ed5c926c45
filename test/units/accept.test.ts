import { expect, it } from 'vitest'
import { preferredLanguage } from '../../src/http/requests/language.ts'
import { isPreferred } from '../../src/lib/accept.ts'
import { preferredEncoding } from '../../src/lib/accept-encoding.ts'

it('A media type is preferred where an Accept header names it, and nothing else more', () => {
  const preferred =
    'Text/CSV|text/csv; charset=utf-8|text/csv;q=0.5|text/csv, */*|text/*|text/csv, application/json|application/json;q=0.2, text/csv;Q=0.3|*/*;q=0.1, text/csv;q=0.2'
  const other =
    '|*/*|application/json|application/json, text/csv|text/csv;q=0|text/csv;q=0, */*|text/csv;q=0.5, application/json|text/csv;q=0.5, */*;q=0.8|text/csvx|application/json; profile="text/csv"'
  for (const accept of preferred.split('|')) expect([accept, isPreferred('text/csv', accept)]).toEqual([accept, true])
  for (const accept of [undefined, `text/csv${' '.repeat(5_000)}`, ...other.split('|')])
    expect([accept, isPreferred('text/csv', accept)]).toEqual([accept, false])
})

it('An encoding is the one that a client prefers', () => {
  for (const [expected, headers] of [
    [undefined, '|gzip;q=0|*;q=0|identity|identity, gzip;q=0.5|identity;q=0|gzip;q=1.2.3|xgzip, gzipx'],
    [
      'gzip',
      'gzip|GZip;Q=1.0|gzip, deflate|br;q=0.1, gzip;q=0.9|*;q=0, gzip|identity;q=0.5, gzip|gzip ; q=0.3|gzip;q=x',
    ],
    ['br', 'gzip, deflate, br, zstd|gzip;q=0.000, *|*'],
  ] as const)
    for (const header of headers.split('|'))
      expect([header, preferredEncoding(header, ['br', 'gzip'])]).toEqual([header, expected])
  expect(preferredEncoding(undefined, ['br', 'gzip'])).toBeUndefined()
})

it('The language of a message is Arabic for who prefers it to English', () => {
  const arabic = 'ar|AR-sa|ar-EG,ar;q=0.9,en;q=0.8|en;q=0.8, ar|fr, ar;q=0.5|ar, en|*;q=0.1, ar|ar ; q=0.3 , *;q=0.2'
  const english = '|en|en, ar|en-GB,en;q=0.9,ar;q=0.8|ar;q=0|ar;q=0, *|*|fr|arn|ar;q=2|ar;q=x'
  for (const header of arabic.split('|')) expect([header, preferredLanguage(header)]).toEqual([header, 'ar'])
  for (const header of [undefined, ...english.split('|')])
    expect([header, preferredLanguage(header)]).toEqual([header, 'en'])
})
