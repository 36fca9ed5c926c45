// Separate from the code that parses them, so that the list of commands loads nothing else.

export const FORMATS = ['csv', 'redmine', 'asana'] as const
export type FormatName = (typeof FORMATS)[number]

export const DATES = ['iso', 'day-first', 'month-first', 'hijri', 'hijri-day-first'] as const
export type DateOrder = (typeof DATES)[number]

export const ENCODINGS = ['utf-8', 'windows-1256', 'latin1'] as const
export type Encoding = (typeof ENCODINGS)[number]
