import { RECORDS } from '../src/domain/records/records.ts'

type Declared = (typeof RECORDS)[keyof typeof RECORDS]

/** The console names records that it lists: those that are searched or in the feed. */
const NAMED = Object.entries(RECORDS).filter(([, record]) => record.isSearched || 'feed' in record)

const wordsIn = (language: keyof Declared['words']) =>
  NAMED.map(([kind, { words }]) => {
    const { one, several } = words[language]
    return `    ${kind}: { one: '${one}', several: '${several}' },\n`
  }).join('')

export function consoleWords(): string {
  return `// Written by \`npm run openapi\` from src/domain/records/records.ts. Change the words there, not here.

import type { RecordedChange, SearchResult } from '../api/types.ts'
import { words } from './language.ts'

type RecordKind = RecordedChange['kind'] | SearchResult['type']

/** The kinds of records, one of them and several. */
export const useRecordKinds = words<Record<RecordKind, { one: string; several: string }>>({
  en: {
${wordsIn('en')}  },
  ar: {
${wordsIn('ar')}  },
})
`
}
