import { describe, expect, it } from 'vitest'
import { PROBLEMS } from '../../src/domain/sentences/problems.ts'
import { REFUSALS } from '../../src/domain/sentences/refusals.ts'
import { REPORTS } from '../../src/domain/sentences/reports.ts'
import { retold } from '../../src/domain/sentences/retold.ts'
import { about, inBoth, joined, ofFields, say, wordsOf } from '../../src/domain/sentences/sentences.ts'

const LISTED = Object.entries({ ...PROBLEMS, ...REFUSALS, ...REPORTS })
const gapsIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([gap]) => gap).sort()

describe('The sentences', () => {
  it('have twins that are Arabic, with the same gaps', () => {
    for (const [english, arabic] of LISTED) {
      expect([english, gapsIn(arabic)]).toEqual([english, gapsIn(english)])
      const hasWords = /[a-z]{3}/.test(english.replace(/\{\w+\}/g, '')) && english !== 'null'
      expect([english, !hasWords || /\p{Script=Arabic}/u.test(arabic)]).toEqual([english, true])
    }
  })

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

it('A sentence that was kept in English is told again in Arabic, and what is none of ours stays as it is', () => {
  for (const words of [
    say('Too many requests. Try again in {seconds} seconds.', { seconds: 1 }),
    say('The file {reason}.', { reason: wordsOf('takes too long to be looked into') }),
    ofFields([
      ['title', "can't be blank"],
      ['url', say("can't be reached: {reason}", { reason: 'ECONNREFUSED' })],
    ]),
    about('changes[3]', wordsOf('The project is archived. Unarchive it first.')),
  ])
    expect(retold(words.en)).toEqual(words)
  for (const text of [
    'connect ECONNREFUSED 127.0.0.1:25',
    '',
    ': ',
    'a; b; c',
    'Somebody else’s sentence: with a colon.',
  ])
    expect(retold(text)).toEqual({ en: text, ar: text })
})
