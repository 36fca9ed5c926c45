import { describe, expect, it } from 'vitest'
import { preferredLanguage } from '../../src/http/requests/language.ts'

describe('The language of a message', () => {
  it.each([
    ['ar', 'ar'],
    ['AR-sa', 'ar'],
    ['ar-EG,ar;q=0.9,en;q=0.8', 'ar'],
    ['en;q=0.8, ar', 'ar'],
    ['fr, ar;q=0.5', 'ar'],
    ['ar, en', 'ar'],
    ['*;q=0.1, ar', 'ar'],
    ['ar ; q=0.3 , *;q=0.2', 'ar'],
    ['en', 'en'],
    ['en, ar', 'en'],
    ['en-GB,en;q=0.9,ar;q=0.8', 'en'],
    ['ar;q=0', 'en'],
    ['ar;q=0, *', 'en'],
    ['*', 'en'],
    ['fr', 'en'],
    ['arn', 'en'],
    ['ar;q=2', 'en'],
    ['ar;q=x', 'en'],
    ['', 'en'],
    [undefined, 'en'],
  ])('by %s is %s', (header, language) => {
    expect(preferredLanguage(header)).toBe(language)
  })
})
