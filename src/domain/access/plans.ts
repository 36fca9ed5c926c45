export const PLANS = ['free', 'pro', 'advanced', 'productive', 'enterprise'] as const
export type Plan = (typeof PLANS)[number]

interface PlanTerms {
  english: string
  arabic: string
  /** Calls a day; null is without limit, 0 is no API access. */
  dailyCalls: number | null
  timeTracking: boolean
}

const TERMS: Record<Plan, PlanTerms> = {
  free: { english: 'Free', arabic: 'المجانية', dailyCalls: 0, timeTracking: false },
  pro: { english: 'Pro', arabic: 'الاحترافية', dailyCalls: 0, timeTracking: false },
  advanced: { english: 'Advanced', arabic: 'المتقدمة', dailyCalls: 1_000, timeTracking: false },
  productive: { english: 'Productive', arabic: 'الإنتاجية', dailyCalls: 10_000, timeTracking: true },
  enterprise: { english: 'Enterprise', arabic: 'المؤسسية', dailyCalls: null, timeTracking: true },
}

/** Calls a day for a company: null is without limit, 0 is no API access. Only Enterprise carries a number of its own. */
export function dailyAllowance(company: { plan: Plan; daily_calls: number | null }): number | null {
  return company.plan === 'enterprise' ? company.daily_calls : TERMS[company.plan].dailyCalls
}

export function hasTimeTracking(plan: Plan): boolean {
  return TERMS[plan].timeTracking
}

export function noApiAccess(plan: Plan): string {
  const { english, arabic } = TERMS[plan]
  if (plan === 'enterprise') {
    return `This company's ${english} plan includes no API calls. Ask for an allowance. | لا تشمل الباقة ${arabic} لهذه الشركة استدعاءات واجهة البرمجة. يُرجى طلب حصة.`
  }
  return `The ${english} plan has no API access. Upgrade to Advanced, Productive or Enterprise. | الباقة ${arabic} لا تتيح الوصول إلى واجهة البرمجة. يُرجى الترقية إلى المتقدمة أو الإنتاجية أو المؤسسية.`
}

export function noTimeTracking(plan: Plan): string {
  const { english, arabic } = TERMS[plan]
  return `The ${english} plan has no time tracking. Upgrade to Productive or Enterprise. | الباقة ${arabic} لا تتيح تسجيل الوقت. يُرجى الترقية إلى الإنتاجية أو المؤسسية.`
}

export function allowanceSpent(plan: Plan, limit: number): string {
  const { english, arabic } = TERMS[plan]
  return `The ${english} plan's ${limit} API calls for today are spent. The count starts again at midnight in the company's time zone. | استُنفدت استدعاءات واجهة البرمجة المتاحة اليوم في الباقة ${arabic} وعددها ${limit}. يبدأ العدّ من جديد عند منتصف الليل بتوقيت الشركة.`
}
