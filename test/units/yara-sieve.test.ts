import { describe, expect, it } from 'vitest'
import { parseYaraRules } from '../../src/adapters/scanner/yara/parse-rules.ts'
import { makeSieve } from '../../src/adapters/scanner/yara/weaker-rule.ts'

const MARK = Buffer.from('f1f2', 'hex')
const rule = (condition: string, strings = '$a = "one" $b = /two/i $c = { 41 ?? 42 }') =>
  `rule r : tag { meta: x = "}" n = -1 strings: ${strings} condition: ${condition} }`

function conditionOf(text: string): string | undefined {
  const [parsed] = parseYaraRules(text)
  if (!parsed) throw new Error('No rule')
  return makeSieve(parsed, 's', MARK, 32_768)?.replace(/^.*condition:\s+|\s*\}\s*$/gs, '')
}

describe('The weaker form of a rule', () => {
  it.each([
    ['$a', '$a'],
    ['$a at 0 and $b in (0..10)', '($a and $b)'],
    ['any of them in (0..3)', 'any of ($a, $b, $c)'],
    ['2 of ($a*, $c)', '2 of ($a, $c)'],
    ['filesize < 10KB and all of them', '(all of ($a, $b, $c))'],
    ['#a > 3 or $c', '($a or $c)'],
    ['is_pdf and ($a or not $b and $c)', '(($a or ($c)))'],
    ['uint32be(0x8001) == 1 or $a', '($a)'],
    ['filename matches /and (x or y/ and $a', '($a)'],
    ['for any i in (1..#a) : ( @a[i] < 3 or $b ) and $c', '($c)'],
    // And asked of nothing:
    ['not $a', undefined],
    ['$a or filesize > 3', undefined],
    ['none of them', undefined],
    ['extension == "qif"', undefined],
    ['for all of them : ( # < 5 )', undefined],
  ])('of %s is %s', (condition, weaker) => {
    expect(conditionOf(rule(condition))).toBe(weaker)
  })

  it('asks for the first bytes behind the mark that stands before each member', () => {
    const [parsed] = parseYaraRules('rule r { condition: uint16(0) == 0x5A4D and uint16be(60) == 7 }')
    const weaker = parsed && makeSieve(parsed, 's', MARK, 32_768)
    expect(weaker).toContain('{ f1 f2 4d 5a }')
    expect(weaker).toContain('{ f1 f2 [60] 00 07 }')
  })

  it('does not trust a pattern that names the beginning or the end of a file', () => {
    expect(conditionOf(rule('$a', '$a = /^MZ/'))).toBeUndefined()
    expect(conditionOf(rule('$a', '$a = /end$/'))).toBeUndefined()
    expect(conditionOf(rule('$a', '$a = /[^a]\\^\\$/'))).toBe('$a')
  })
})

it('Rules that are not understood are refused, not guessed at', () => {
  expect(() => parseYaraRules('include "other.yar"\nrule a { condition: true }')).toThrow()
  expect(() => parseYaraRules('rule a { strings: $a = condition: $a }')).toThrow()
})
