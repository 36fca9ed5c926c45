import { count, formatNumber, words } from '../../words/language.ts'

export const useOverviewWords = words({
  en: {
    title: 'Overview',
    callsToday: 'API calls today',
    of: (limit: number) => `of ${formatNumber('en', limit)}`,
    unlimited: 'no limit',
    lastDays: 'API calls, last 30 days',
    chart: (total: number) => `${count('en', total, { one: '# call', other: '# calls' })} in the last 30 days`,
    allUsage: 'All usage',

    calls: 'Calls',
    allowance: 'Allowance',
  },
  ar: {
    title: 'نظرة عامة',
    callsToday: 'استدعاءات الواجهة اليوم',
    of: (limit: number) => `من أصل ${formatNumber('ar', limit)}`,
    unlimited: 'دون حد',
    lastDays: 'استدعاءات الواجهة في آخر 30 يومًا',
    chart: (total: number) =>
      `${count('ar', total, {
        zero: 'لا استدعاءات',
        one: 'استدعاء واحد',
        two: 'استدعاءان',
        few: '# استدعاءات',
        many: '# استدعاءً',
        other: '# استدعاء',
      })} في آخر 30 يومًا`,
    allUsage: 'كل الاستخدام',

    calls: 'الاستدعاءات',
    allowance: 'الحصة',
  },
})
