import { describe, expect, it } from 'vitest'
import { PROBLEMS } from '../../src/domain/sentences/problems.ts'
import { REFUSALS } from '../../src/domain/sentences/refusals.ts'
import { REPORTS } from '../../src/domain/sentences/reports.ts'
import { retold } from '../../src/domain/sentences/retold.ts'
import { about, inBoth, joined, ofFields, say, wordsOf } from '../../src/domain/sentences/sentences.ts'

const LISTED = Object.entries({ ...PROBLEMS, ...REFUSALS, ...REPORTS })
const gapsIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([gap]) => gap).sort()

describe('The sentences', () => {
  it.each(LISTED)('%s: the Arabic twin has the same gaps', (english, arabic) => {
    expect(gapsIn(arabic)).toEqual(gapsIn(english))
  })

  it.each(LISTED.filter(([english]) => /[a-z]{3}/.test(english.replace(/\{\w+\}/g, '')) && english !== 'null'))(
    '%s: the twin is Arabic',
    (_, arabic) => {
      expect(arabic).toMatch(/\p{Script=Arabic}/u)
    },
  )

  it('are each in one of the lists only', () => {
    expect(new Set(LISTED.map(([english]) => english)).size).toBe(
      [PROBLEMS, REFUSALS, REPORTS].flatMap(Object.keys).length,
    )
  })
})

describe('In Arabic', () => {
  it('names of fields and other Latin words in a sentence are isolated, with what is between them', () => {
    expect(wordsOf("can't be before starts_at").ar).toBe('لا يجوز أن يسبق \u2068starts_at\u2069')
    expect(wordsOf('The API key is missing or invalid. Send it as: Authorization: Bearer <key>').ar).toMatch(
      / \u2068Authorization: Bearer <key>\u2069$/,
    )
  })

  it('the full stop after a Latin word is that of the sentence', () => {
    expect(wordsOf('Set SMTP_URL and MAIL_FROM to have them mailed.').ar).toMatch(/ و\u2068MAIL_FROM\u2069\.$/)
  })

  it('what fills a gap is isolated, numbers and words of our own are not', () => {
    expect(say('{email} is not a member of the project', { email: 'a@b.c' }).ar).toBe(
      'صاحب العنوان \u2068a@b.c\u2069 ليس عضوًا في المشروع',
    )
    expect(say('must be at least {limit}', { limit: 3 }).ar).toBe('يجب ألا يقل عن 3')
    expect(say('must be {what}', { what: wordsOf('a string') })).toEqual({
      en: 'must be a string',
      ar: 'يجب أن يكون نصًّا',
    })
  })

  it.each([
    [1, 'ثانية واحدة'],
    [2, 'ثانيتين'],
    [3, '3 ثوانٍ'],
    [10, '10 ثوانٍ'],
    [11, '11 ثانية'],
    [60, '60 ثانية'],
    [102, '102 ثانية'],
    [103, '103 ثوانٍ'],
  ])('the noun agrees with its number: %i', (seconds, words) => {
    const { en, ar } = say('Too many requests. Try again in {seconds} seconds.', { seconds })
    expect([en, ar]).toEqual([
      `Too many requests. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,

      `طلبات كثيرة جدًّا. يُرجى إعادة المحاولة بعد ${words}.`,
    ])
  })

  it('is told again from English that is in the singular', () => {
    const words = say('Too many requests. Try again in {seconds} seconds.', { seconds: 1 })
    expect(words.en).toBe('Too many requests. Try again in 1 second.')
    expect(retold(words.en)).toEqual(words)
  })

  it.each([
    [1, 'يومًا واحدًا'],
    [30, '30 يومًا'],
    [100, '100 يوم'],
  ])('a masculine noun agrees with its number too: %i', (days, words) => {
    expect(say('Removed by Diwan: it was closed for {days} days.', { days }).ar).toContain(words)
  })

  it('a value with braces, dollars or the name of a gap stays what it is', () => {
    const value = '{limit} $& $1 {what}'
    expect(say("can't be sent together with {other}", { other: value })).toEqual({
      en: `can't be sent together with ${value}`,
      ar: `لا يُرسل مع \u2068${value}\u2069 في الطلب نفسه`,
    })
  })

  it('a value cannot close its isolate', () => {
    expect(say("can't be sent together with {other}", { other: 'a\u2069\u202eb' }).ar).toBe(
      'لا يُرسل مع \u2068ab\u2069 في الطلب نفسه',
    )
  })
})

it('Problems of several fields are one sentence', () => {
  expect(
    ofFields([
      ['title', "can't be blank"],
      ['due_at', 'is invalid'],
    ]),
  ).toEqual({
    en: "title can't be blank; due_at is invalid",
    ar: '\u2068title\u2069 لا يجوز أن يكون فارغًا؛ \u2068due_at\u2069 غير صالح',
  })
  expect(joined(['a string', 'null'], { en: ' or ', ar: ' أو ' }).en).toBe('a string or null')
  expect(inBoth('|')).toEqual({ en: '|', ar: '|' })
})

describe('A sentence that was kept in English', () => {
  /** With every gap filled: what is told again is what was told first. */
  const told: [english: string, words: { en: string; ar: string }][] = [
    say('The key has {access} access, which does not permit {operation}.', {
      access: 'read',
      operation: 'tasks:write',
    }),
    say('Too many requests. Try again in {seconds} seconds.', { seconds: 2 }),
    say('{waiting} waiting, {failed} failed. The oldest has been due for {minutes} minutes.', {
      waiting: 3,
      failed: 0,
      minutes: 7,
    }),
    say('{what}: {why}.', {
      what: wordsOf('A notification could not be mailed'),
      why: wordsOf('the connection was refused'),
    }),
    say('Only {size} free.', { size: say('{amount} GB', { amount: 1.2 }) }),
    say('This is for {who} only.', { who: wordsOf('key administrators') }),
    wordsOf('is locked with a password, so it could not be looked into'),
    say('is infected ({finding}), so its content was removed', { finding: 'Eicar-Test (x)' }),
    say('The file {reason}.', { reason: wordsOf('takes too long to be looked into') }),
    ofFields([['url', say("can't be reached: {reason}", { reason: 'ECONNREFUSED' })]]),
    ofFields([
      ['title', "can't be blank"],
      ['due_at', say('must be {what}', { what: joined(['a string', 'null'], { en: ' or ', ar: ' أو ' }) })],
    ]),
    ofFields([['external_id', say('{id} already names {ref}', { id: '"crm: 77"', ref: 'tsk-0q8v5n2jyt' })]]),
    about('changes[3]', wordsOf('The project is archived. Unarchive it first.')),
  ].map(words => [words.en, words])

  it.each(told)('is told again in Arabic: %s', (english, words) => {
    expect(words.ar).toMatch(/\p{Script=Arabic}/u)
    expect(retold(english)).toEqual(words)
  })

  it.each([
    'connect ECONNREFUSED 127.0.0.1:25',
    'must be',
    '',
    ': ',
    'title',
    'a; b; c',
    'Somebody else’s sentence: with a colon.',
    "title is something else; due_at can't be blank",
  ])('stays as it is when it is none of ours: %s', text => {
    expect(retold(text)).toEqual({ en: text, ar: text })
  })

  it('is told in time that grows with its length only', () => {
    const begun = performance.now()
    for (const text of [
      `title ${'must be at least '.repeat(20_000)}`,
      '; '.repeat(100_000),
      'x answers. '.repeat(20_000),
      `${"x can't be reached: ".repeat(20_000)}; y; z`,
      `${"x can't be reached: y; ".repeat(99)}z`,
      `metadata.${'must be a string or '.repeat(20_000)}`,
    ])
      retold(text)
    expect(performance.now() - begun).toBeLessThan(2_000)
  })
})
