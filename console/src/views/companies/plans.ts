import type { Plan } from '../../api/types.ts'
import { useCatalog } from '../../api/use-catalog.ts'
import { useLanguage } from '../../words/language.ts'

interface PlanTerms {
  name: Plan
  title: string
  api: boolean
  dailyCalls: number | null
}

/** The plans, with their titles in the reader's language; none while they are being loaded. */
export function usePlans(): PlanTerms[] {
  const language = useLanguage()
  const { data } = useCatalog()
  return (data?.plans ?? []).map(({ name, title, api, daily_calls }) => ({
    name,
    title: title[language],
    api,
    dailyCalls: daily_calls,
  }))
}
