import { counted } from '../../lib/counted.ts'
export const PLANS = ['free', 'pro', 'advanced', 'productive', 'enterprise'] as const
export type Plan = (typeof PLANS)[number]

interface PlanTerms {
  english: string
  arabic: string
  /** Calls per day; 0 means no API access, and `agreed` whatever was agreed with the company. */
  dailyCalls: number | 'agreed'
  timeTracking: boolean
}

const TERMS: Record<Plan, PlanTerms> = {
  free: { english: 'Free', arabic: 'المجانية', dailyCalls: 0, timeTracking: false },
  pro: { english: 'Pro', arabic: 'الاحترافية', dailyCalls: 0, timeTracking: false },
  advanced: { english: 'Advanced', arabic: 'المتقدمة', dailyCalls: 1_000, timeTracking: false },
  productive: { english: 'Productive', arabic: 'الإنتاجية', dailyCalls: 10_000, timeTracking: true },
  enterprise: { english: 'Enterprise', arabic: 'المؤسسية', dailyCalls: 'agreed', timeTracking: true },
}

/** What a plan offers, for people who choose one. */
export function planTerms(plan: Plan) {
  const { english, arabic, dailyCalls, timeTracking } = TERMS[plan]
  return {
    title: { en: english, ar: arabic },
    api: dailyCalls !== 0,
    daily_calls: dailyCalls === 'agreed' ? null : dailyCalls,
    time_tracking: timeTracking,
  }
}

/** Calls per day for a company: null means no limit, 0 no API access. */
export function dailyAllowance(company: { plan: Plan; daily_calls: number | null }): number | null {
  const { dailyCalls } = TERMS[company.plan]
  return dailyCalls === 'agreed' ? company.daily_calls : dailyCalls
}

/** True when the company's calls are answered at all. */
export function isServed(company: { rest_api: boolean; plan: Plan; daily_calls: number | null }): boolean {
  return company.rest_api && dailyAllowance(company) !== 0
}

export function hasTimeTracking(plan: Plan): boolean {
  return TERMS[plan].timeTracking
}

const WITH_API = plansThat(({ dailyCalls }) => dailyCalls !== 0)
const WITH_TIME_TRACKING = plansThat(({ timeTracking }) => timeTracking)

/** The names of some plans as a choice: "Productive or Enterprise". */
function plansThat(include: (terms: PlanTerms) => boolean): { english: string; arabic: string } {
  const plans = PLANS.map(plan => TERMS[plan]).filter(include)
  const english = plans.map(terms => terms.english)
  return {
    english: new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(english),
    arabic: plans.map(terms => terms.arabic).join(' أو '),
  }
}

export function noApiAccess(plan: Plan): string {
  const { english, arabic, dailyCalls } = TERMS[plan]
  if (dailyCalls === 'agreed') {
    return `This company's ${english} plan includes no API calls. Ask for an allowance. | لا تشمل الباقة ${arabic} لهذه الشركة أي استدعاءات API. يُرجى طلب حصة.`
  }
  return `The ${english} plan has no API access. Upgrade to ${WITH_API.english}. | الباقة ${arabic} لا تتيح الوصول إلى API. يُرجى الترقية إلى ${WITH_API.arabic}.`
}

export function noTimeTracking(plan: Plan): string {
  const { english, arabic } = TERMS[plan]
  return `The ${english} plan has no time tracking. Upgrade to ${WITH_TIME_TRACKING.english}. | الباقة ${arabic} لا تتيح تسجيل الوقت. يُرجى الترقية إلى ${WITH_TIME_TRACKING.arabic}.`
}

export function allowanceTooSmall(plan: Plan, calls: number, left: number): string {
  const { english, arabic } = TERMS[plan]
  return `This request needs ${counted(calls, 'more API call')}, but the ${english} plan has only ${left} left for today. Send a smaller batch, or wait until midnight in the company's time zone. | عدد الاستدعاءات الإضافية التي يحتاج إليها هذا الطلب ${calls}، والمتبقي منها اليوم في الباقة ${arabic} ${left}. يُرجى إرسال طلب أصغر أو الانتظار حتى منتصف الليل بتوقيت الشركة.`
}

const CALLS: Record<Intl.LDMLPluralRule, string> = {
  zero: 'لا شيء',
  one: 'استدعاء واحد',
  two: 'استدعاءان',
  few: '# استدعاءات',
  many: '# استدعاءً',
  other: '# استدعاء',
}
const plurals = new Intl.PluralRules('ar')
const arabicCalls = (calls: number) => CALLS[plurals.select(calls)].replace('#', String(calls))

export function allowanceSpent(plan: Plan, limit: number): string {
  const { english, arabic } = TERMS[plan]
  const spent = limit === 1 ? 'one API call for today is' : `${limit} API calls for today are`
  return `The ${english} plan's ${spent} spent. The count starts again at midnight in the company's time zone. | نفدت حصة اليوم من استدعاءات API في الباقة ${arabic}، وهي ${arabicCalls(limit)}. يبدأ العدّ من جديد عند منتصف الليل بتوقيت الشركة.`
}
