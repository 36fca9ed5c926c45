import { useCatalog } from '../api/use-catalog.ts'
import { useCompany } from '../frame/standing.ts'
import { useLanguage, words } from '../words/language.ts'
import { Note } from './text.tsx'

const useApiNoteWords = words({
  en: {
    notInPlan: (plan: string) =>
      `The ${plan} plan does not include the API: calls with a key are refused until the company has a plan that does.`,
    noCalls: (plan: string) =>
      `No API calls have been agreed for this company’s ${plan} plan: calls with a key are refused until an allowance is set.`,
    off: 'The API is switched off for this company: calls with a key are refused until the operator switches it on.',
  },
  ar: {
    notInPlan: (plan: string) =>
      `لا تشمل الباقة ${plan} استخدام API: يُرفض كل استدعاء بمفتاح إلى أن تنتقل الشركة إلى باقة تشمله.`,
    noCalls: (plan: string) =>
      `لم تُحدَّد حصة استدعاءات لهذه الشركة في الباقة ${plan}: يُرفض كل استدعاء بمفتاح إلى أن تُحدَّد.`,
    off: 'استخدام API متوقف لهذه الشركة: يُرفض كل استدعاء بمفتاح إلى أن يشغّله المشغِّل.',
  },
})

/** Why the API answers no key of this company, in words; undefined where it does, or while that is not known yet. */
export function useNoApi(): string | undefined {
  const t = useApiNoteWords()
  const language = useLanguage()
  const { plan: name, rest_api, daily_calls } = useCompany()
  const plan = useCatalog().data?.plans.find(one => one.name === name)
  if (!plan) return undefined
  if (!plan.api) return t.notInPlan(plan.title[language])
  if (plan.daily_calls === null && daily_calls === 0) return t.noCalls(plan.title[language])
  return rest_api ? undefined : t.off
}

/** Says that keys of this company do not work, wherever they are made. */
export function NoApiNote() {
  const why = useNoApi()
  if (!why) return null
  return (
    <div class="above-view">
      <Note tone="warn">{why}</Note>
    </div>
  )
}
