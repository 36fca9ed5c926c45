import { searchName } from '../../../src/lib/search-name.ts'
import { Failure } from '../frame/command.ts'
import { ownCopy, trimmed } from './names.ts'

export interface Member {
  name: string
  email: string
}

const MOST_PEOPLE = 5_000

/** The spellings of a name in which two are compared, the closest first: عبد الرحمن is عبدالرحمن, and العتيبي is عتيبي. */
const SPELLINGS = [
  searchName,
  (name: string) => searchName(name).replaceAll(' ', ''),
  (name: string) => searchName(name).replaceAll(ARTICLES, '$1').replaceAll(' ', ''),
]
const ARTICLES = /(^| |عبد)ال(?=[^ ]{2})/g

/** Finds the person meant by an assignee: the member with the address, or else the only one with the name. */
export function createPeople(members: Member[]) {
  const byEmail = new Map(members.map(({ email }) => [email.toLowerCase(), email]))
  const bySpelling = SPELLINGS.map(spell => {
    const found = new Map<string, string | null>()
    for (const { name, email } of members) found.set(spell(name), found.has(spell(name)) ? null : email)
    return found
  })
  /** Email addresses by the person named in FILE; null for somebody who is not found. */
  const found = new Map<string, string | null>()

  function lookUp(name: string, email: string): string | null {
    const address = byEmail.get(email.toLowerCase()) ?? byEmail.get(name.toLowerCase())
    if (address !== undefined || searchName(name) === '') return address ?? null
    const matches = SPELLINGS.map((spell, n) => bySpelling[n]?.get(spell(name)))
    // The closest spelling decides, even if it is that of two people.
    return matches.find(match => match !== undefined) ?? null
  }

  return {
    /** The address to assign to, if there is one, and what FILE calls the person. */
    find(nameCell: string, emailCell: string): { called: string; email: string | null } | undefined {
      const [name, email] = [trimmed(nameCell), trimmed(emailCell)]
      if (name === '' && email === '') return undefined
      const called = name !== '' && email !== '' ? `${name} <${email}>` : name || email
      let address = found.get(called)
      if (address === undefined) {
        if (found.size >= MOST_PEOPLE)
          throw new Failure(`FILE names more than ${MOST_PEOPLE} different assignees. Is the right column mapped?`)
        address = lookUp(name, email)
        found.set(ownCopy(called), address)
      }
      return { called, email: address }
    },
    unknown: (): string[] => [...found].flatMap(([called, email]) => (email === null ? [called] : [])),
  }
}

export type People = ReturnType<typeof createPeople>
