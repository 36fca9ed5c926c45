import { describe, expect, it } from 'vitest'
import { createPeople } from '../../cli/src/import/people.ts'

const MEMBERS = [
  { name: 'عبد الرحمن العتيبي', email: 'abd@example.com' },
  { name: 'مُحمّد أحمد', email: 'm@example.com' },
  { name: 'فاطمة المسؤول', email: 'f@example.com' },
  { name: 'José García', email: 'j@example.com' },
  { name: 'علي حسن', email: 'ali@example.com' },
  { name: 'Sam', email: 'sam1@example.com' },
  { name: 'SAM', email: 'sam2@example.com' },
]
const find = (name: string, email = '') => createPeople(MEMBERS).find(name, email)?.email

describe('A person in a file', () => {
  it.each([
    ['عبدالرحمن العتيبي', 'abd@example.com'],
    ['عبد الرحمن عتيبي', 'abd@example.com'],
    ['عبدالرحمن عتيبي', 'abd@example.com'],
    ['\u200fمحمد احمد\u200f', 'm@example.com'],
    ['محـمد آحمد', 'm@example.com'],
    ['فاطمه المسئول', 'f@example.com'],
    ['jose garcia', 'j@example.com'],
    ['ALI@EXAMPLE.COM', 'ali@example.com'],
  ])('called %s is found by the spelling rules of the search', (name, email) => {
    expect(find(name)).toBe(email)
  })

  it.each(['حسن علي', 'علي', 'علي حسنين', 'sam', '...', 'رحمن عتيبي'])(
    'called %s is nobody, because the name is that of nobody or of two',
    name => {
      expect(find(name)).toBe(null)
    },
  )
})
