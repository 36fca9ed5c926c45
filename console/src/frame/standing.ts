import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Company, Endpoints, Me } from '../api/types.ts'

type EndpointName = keyof Endpoints

/** What every view may need to know of the company in the URL. */
export type ShownCompany = Pick<Company, 'id' | 'name' | 'plan' | 'rest_api' | 'daily_calls' | 'closed_at' | 'sandbox'>

/** Who is signed in, what the server lets them do, and which company is shown. */
export interface Standing {
  me: Me
  /** The server decides; the console only shows what it would be allowed to request. */
  may: (endpoint: EndpointName) => boolean
  company: ShownCompany | undefined
  /** The zone of the company; without a company, that of the browser. */
  zone: string
  secondCalendar: boolean
  signOut: () => Promise<void>
  /** Asks again who is signed in and which company it is, after one of them was changed. */
  refresh: () => void
}

export const StandingContext = createContext<Standing | undefined>(undefined)

export function useStanding(): Standing {
  const standing = useContext(StandingContext)
  if (!standing) throw new Error('Nobody is signed in')
  return standing
}

/** The company in the URL. Views of a company are used only where there is one. */
export function useCompany(): ShownCompany {
  const { company } = useStanding()
  if (!company) throw new Error('No company is being looked at')
  return company
}

/** The names in the description are those of the declarations, in JavaScript's spelling. */
export function permitted(me: Me): Standing['may'] {
  const names = new Set(me.may.map(name => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())))
  return endpoint => names.has(endpoint)
}

/** In a closed company the operator may read, and open it again. */
export function permittedWhenClosed(may: Standing['may']): Standing['may'] {
  return endpoint => may(endpoint) && (/^(get|list|read|search)/.test(endpoint) || endpoint === 'reopenCompany')
}
