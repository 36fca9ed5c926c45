import { expect, it } from 'vitest'
import { tagsIn } from '../../src/lib/entity-tags.ts'

it('If-Match names tags, or nothing that can be read', () => {
  for (const [header, tags] of [
    ['"a"', ['"a"']],
    ['W/"a"', ['"a"']],
    ['"a"\t ,  "b",W/"c"', ['"a"', '"b"', '"c"']],
    [', "a",, "b" , ,', ['"a"', '"b"']],
    ['"a,b", "c"', ['"a,b"', '"c"']],
    ['""', ['""']],
    ['"*"', ['"*"']],
    ['"\xe9"', ['"\xe9"']],
  ] as const)
    expect([header, tagsIn(header)]).toEqual([header, tags])
  for (const header of [
    '',
    ' ',
    ',',
    'a',
    '"a',
    'a"',
    '"a" "b"',
    '"a"b',
    '"a", *',
    '"a", b',
    'w/"a"',
    'W/ "a"',
    '"a b"',
  ])
    expect([header, tagsIn(header)]).toEqual([header, []])
})
