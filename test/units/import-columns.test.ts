import { describe, expect, it } from 'vitest'
import { FORMAT, findColumns } from '../../cli/src/import/columns.ts'
import { readDay } from '../../cli/src/import/dates.ts'
import { plainName, trimmed } from '../../cli/src/import/names.ts'

const wishes = { format: 'csv', map: {}, listBy: undefined, done: undefined } as const

describe('The columns of an import', () => {
  it('never have one name for two fields', () => {
    for (const { names, secondList = [] } of Object.values(FORMAT)) {
      const all = [...Object.values(names).flat(), ...secondList].map(plainName)
      expect(all.filter((name, n) => all.indexOf(name) !== n)).toEqual([])
    }
  })

  it('are found whatever capitals, spaces, marks and forms of letters they are written with', () => {
    const { roles } = findColumns(['\u200fTASK_name ', 'الإستحقاق', 'المسئول', 'المسؤول'], wishes)
    expect(roles).toMatchObject({ title: 0, due: 1, assignee: 3 })
  })

  it('can be taken from a field again', () => {
    const { roles } = findColumns(['Title', 'Status'], { ...wishes, map: { status: '' } })
    expect(roles.status).toBeUndefined()
  })
})

describe('A due date', () => {
  it.each([
    ['2027-02-01', 'iso', '2027-02-01'],
    ['٢٠٢٧-٠٢-٠١', 'iso', '2027-02-01'],
    ['\u200f2027-02-01T10:00:00Z', 'iso', '2027-02-01'],
    ['1.2.2027', 'month-first', '2027-01-02'],
    ['1448-08-24', 'hijri', '2027-02-01'],
    ['24/8/1448', 'hijri-day-first', '2027-02-01'],
    ['1448-08-24', 'hijri-day-first', '2027-02-01'],
    ['٢٤\u200f/٨\u200f/١٤٤٨ هـ', 'hijri-day-first', '2027-02-01'],
    ['\u20672027-02-01 م\u2069', 'hijri', '2027-02-01'],
    ['1/2/2027م', 'hijri-day-first', '2027-02-01'],
    // Here the letter means the afternoon.
    ['24/8/1448 10:00 م', 'hijri-day-first', '2027-02-01'],
  ] as const)('%s is read %s', (text, order, day) => {
    expect(readDay(text, order)).toEqual({ day })
  })

  it.each([
    ['1/2/2027', 'iso', 'is ambiguous'],
    ['1/2/1448', 'hijri', 'is ambiguous: use --dates hijri-day-first'],
    ['1/2/1448 هـ', 'iso', 'is ambiguous: use --dates hijri-day-first'],
    ['31/8/1448', 'hijri-day-first', 'is not a day of the Umm al-Qura calendar'],
    ['هـ', 'hijri', 'is not a date'],
    ['13/13/2027', 'day-first', 'must be a date that exists'],
    ['1/2/27', 'day-first', 'is not a date'],
    ['tomorrow', 'iso', 'is not a date'],
    ['1448-13-01', 'hijri', 'is not a day of the Umm al-Qura calendar'],
  ] as const)('%s is not read %s', (text, order, problem) => {
    expect(readDay(text, order)).toEqual({ problem: expect.stringContaining(problem) })
  })
})

it('A cell keeps the joiners within it and loses what is around it', () => {
  expect(trimmed('\ufeff\u200f 👩‍💻 می‌خواهم \u202c\n')).toBe('👩‍💻 می‌خواهم')
  expect(trimmed('\u200f \t')).toBe('')
})
