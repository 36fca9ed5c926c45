import { describe, expect, it } from 'vitest'
import { PROBLEMS } from '../../src/domain/sentences/problems.ts'
import { REFUSALS } from '../../src/domain/sentences/refusals.ts'
import { REPORTS } from '../../src/domain/sentences/reports.ts'
import { retold } from '../../src/domain/sentences/retold.ts'
import {
  about,
  inBoth,
  isSentence,
  joined,
  ofField,
  ofFields,
  type Said,
  type Sentence,
  say,
  type Words,
  wordsOf,
} from '../../src/domain/sentences/sentences.ts'

/** What our own words fill, as the server does. */
const OURS: Record<string, Words> = {
  what: joined(['a string', 'null'], { en: ' or ', ar: ' أو ' }),
  who: wordsOf('key administrators'),
  reason: wordsOf('the connection was refused'),
  why: ofFields([['url', say("can't be reached: {reason}", { reason: wordsOf('the disk is full') })]]),
  size: say('{amount} GB', { amount: 76.5 }),
  engine: say('{program}, built-in rules', { program: 'YARA-X 1.20.0' }),
}

const NUMBERS =
  'amount bytes count days failed first last lately limit megabytes minutes more most seconds status waiting year'

/** What others wrote or what we name: with a semicolon where there can be one. */
const TEXTS: Record<string, string> = {
  time: '2026-11-19T02:00:00.000Z',
  step: 'idempotency_keys',
  id: '"crm; 77"',
  values: 'low, medium',
  wrapper: '"project; x"',
}

function filled(sentence: string, number: number): Words {
  const gaps = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, gap]) => gap as string)
  if (gaps.length === 0) return wordsOf(sentence as Said)
  const fill = (gap: string) =>
    OURS[gap] ?? (NUMBERS.split(' ').includes(gap) ? number : (TEXTS[gap] ?? `tsk-${gap.length}`))
  return say(sentence as Sentence, Object.fromEntries(gaps.map(gap => [gap, fill(gap)])) as never)
}

/** Those that follow other problems, and those that fill `must be {what}`. */
const AFTER_PROBLEMS = Object.keys(PROBLEMS).filter(sentence => /^[.;] /.test(sentence))
const KINDS = Object.keys(PROBLEMS).filter(sentence => /^(an? |true or false$|null$|2xx)/.test(sentence))
const OF_FIELDS = Object.keys(PROBLEMS).filter(sentence => ![...AFTER_PROBLEMS, ...KINDS].includes(sentence))

describe('Every sentence that was kept in English is told again in Arabic', () => {
  for (const number of [1, 7]) {
    it.each(Object.keys({ ...REFUSALS, ...REPORTS }))(`with ${number}: %s`, sentence => {
      const words = filled(sentence, number)
      expect(retold(words.en)).toEqual(words)
    })

    it.each(OF_FIELDS)(`with ${number}, after the name of a field: %s`, sentence => {
      const problem = filled(sentence, number)
      const alone = ofFields([['title', problem]])
      const among = ofFields([
        ['title', "can't be blank"],
        // Problems that begin with a value are none of keys of metadata.
        [sentence.startsWith('{') ? 'external_id' : 'metadata.a key; b', problem],
        ['due_at', 'is invalid'],
      ])
      for (const words of [alone, among, ofField('changes[3]', alone)]) expect(retold(words.en)).toEqual(words)
    })

    it.each(KINDS)(`with ${number}, where something else must be: %s`, sentence => {
      const kind = filled(sentence, number)
      const kinds = [kind, joined([kind, 'null'], { en: ' or ', ar: ' أو ' })]
      for (const what of isSentence(sentence) ? kinds : [kind]) {
        const words = ofFields([['title', say('must be {what}', { what })]])
        expect(retold(words.en)).toEqual(words)
      }
    })

    it.each(AFTER_PROBLEMS)(`with ${number}, after problems of fields: %s`, sentence => {
      const problems = ofFields([
        ['name', "can't be blank"],
        ['due_at', filled('must be a Gregorian date from {first} to {last}; {year} looks like a Hijri year', number)],
      ])
      const words = joined([problems, filled(sentence, number)])
      expect(retold(words.en)).toEqual(words)
    })
  }

  it('with all that can follow problems', () => {
    const words = joined([
      ofFields([
        ['name', "can't be blank"],
        ['assignee_email', 'is not a field'],
      ]),
      ...AFTER_PROBLEMS.sort()
        .reverse()
        .map(sentence => filled(sentence, 3)),
    ])
    expect(words.en).toMatch(/^name can't be blank; assignee_email is not a field; and 3 more\. The body looks wrapped/)
    expect(retold(words.en)).toEqual(words)
  })

  it('and several after each other', () => {
    const words = joined(
      [
        filled('The step {step} has not been done since {time}.', 1),
        filled('The step {step} fails since {time}: {why}.', 1),
        filled('The step {step} fails since {time}: {why}.', 1),
        filled('The step {step} has not been done since {time}.', 1),
      ],
      inBoth(' '),
    )
    expect(retold(words.en)).toEqual(words)
  })

  it('after the name of the change that it is about', () => {
    const words = about('changes[3]', filled('The file {reason}.', 1))
    expect(retold(words.en)).toEqual(words)
  })
})
