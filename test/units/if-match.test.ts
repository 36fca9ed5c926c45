import { expect, it } from 'vitest'
import { tagsIn } from '../../src/lib/entity-tags.ts'

it.each([
  ['"a"', ['"a"']],
  ['W/"a"', ['"a"']],
  ['"a", "b",W/"c"', ['"a"', '"b"', '"c"']],
  ['"a"\t ,  "b"', ['"a"', '"b"']],
  [', "a",, "b" , ,', ['"a"', '"b"']],
  ['"a,b", "c"', ['"a,b"', '"c"']],
  ['""', ['""']],
  ['"*"', ['"*"']],
  ['"\xe9"', ['"\xe9"']],
])('If-Match: %s names tags', (header, tags) => {
  expect(tagsIn(header)).toEqual(tags)
})

it.each([
  '',
  ' ',
  ',',
  'a',
  '"a',
  'a"',
  '"a" "b"',
  '"a"b',
  '"a", *',
  '*, "a"',
  '"a", b',
  'w/"a"',
  'W/ "a"',
  "'a'",
  '"a b"',
])('If-Match: %s cannot be read and names none', header => {
  expect(tagsIn(header)).toEqual([])
})
