import { count, formatNumber, words } from '../../words/language.ts'

export const useOverviewWords = words({
  en: {
    title: 'Overview',
    callsToday: 'API calls today',
    of: (limit: number) => `of ${formatNumber('en', limit)}`,
    unlimited: 'no limit',
    expected: (calls: number) => `About ${formatNumber('en', calls)} expected by midnight`,
    lastDays: 'API calls, last 30 days',
    chart: (total: number) => `${count('en', total, { one: '# call', other: '# calls' })} in the last 30 days`,
    allUsage: 'All usage',
    keys: 'Live API keys',
    people: 'Active people',
    projects: 'Projects',
    openTasks: 'Open tasks',
    overdue: (n: number) => `${formatNumber('en', n)} overdue`,
    notices: 'Worth a look',
    failingWebhooks: (n: number) => count('en', n, { one: '# webhook is failing', other: '# webhooks are failing' }),
    infectedFiles: (n: number) => count('en', n, { one: '# file is infected', other: '# files are infected' }),
    failedScans: (n: number) =>
      count('en', n, { one: '# file could not be scanned', other: '# files could not be scanned' }),
    noKeys: 'This company has no API key yet.',
    makeKey: 'Create the first key',
    denials: (n: number) =>
      count('en', n, {
        one: '# call was denied in the last 24 hours',
        other: '# calls were denied in the last 24 hours',
      }),
    expiringKeys: (n: number) =>
      count('en', n, { one: '# API key expires within 14 days', other: '# API keys expire within 14 days' }),
    switchedOff: (n: number) =>
      count('en', n, {
        one: 'Diwan switched off # webhook that kept failing',
        other: 'Diwan switched off # webhooks that kept failing',
      }),
  },
  ar: {
    title: 'نظرة عامة',
    callsToday: 'استدعاءات API اليوم',
    of: (limit: number) => `من أصل ${formatNumber('ar', limit)}`,
    unlimited: 'بلا حد',
    expected: (calls: number) => `المتوقع حتى منتصف الليل نحو ${formatNumber('ar', calls)}`,
    lastDays: 'استدعاءات API في آخر 30 يومًا',
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
    keys: 'مفاتيح API النشطة',
    people: 'الأشخاص النشطون',
    projects: 'المشاريع',
    openTasks: 'المهام المفتوحة',
    overdue: (n: number) => `المتأخر منها ${formatNumber('ar', n)}`,
    notices: 'يستحق الانتباه',
    failingWebhooks: (n: number) =>
      count('ar', n, {
        one: 'خطاف ويب واحد متعثر',
        two: 'خطافا ويب متعثران',
        few: '# خطافات ويب متعثرة',
        many: '# خطاف ويب متعثرًا',
        other: '# خطاف ويب متعثر',
      }),
    infectedFiles: (n: number) =>
      count('ar', n, {
        one: 'ملف واحد مصاب',
        two: 'ملفان مصابان',
        few: '# ملفات مصابة',
        many: '# ملفًّا مصابًا',
        other: '# ملف مصاب',
      }),
    failedScans: (n: number) =>
      count('ar', n, {
        one: 'ملف واحد تعذّر فحصه',
        two: 'ملفان تعذّر فحصهما',
        few: '# ملفات تعذّر فحصها',
        many: '# ملفًّا تعذّر فحصها',
        other: '# ملف تعذّر فحصها',
      }),
    noKeys: 'ليس لهذه الشركة مفتاح API بعد.',
    makeKey: 'إنشاء المفتاح الأول',
    denials: (n: number) =>
      count('ar', n, {
        one: 'رُفض استدعاء واحد خلال آخر 24 ساعة',
        two: 'رُفض استدعاءان خلال آخر 24 ساعة',
        few: 'رُفضت # استدعاءات خلال آخر 24 ساعة',
        many: 'رُفض # استدعاءً خلال آخر 24 ساعة',
        other: 'رُفض # استدعاء خلال آخر 24 ساعة',
      }),
    expiringKeys: (n: number) =>
      count('ar', n, {
        one: 'ينتهي مفتاح واحد خلال 14 يومًا',
        two: 'ينتهي مفتاحان خلال 14 يومًا',
        few: 'تنتهي # مفاتيح خلال 14 يومًا',
        many: 'ينتهي # مفتاحًا خلال 14 يومًا',
        other: 'ينتهي # مفتاح خلال 14 يومًا',
      }),
    switchedOff: (n: number) =>
      count('ar', n, {
        one: 'أوقف ديوان خطاف ويب واحدًا لتكرار فشله',
        two: 'أوقف ديوان خطافي ويب لتكرار فشلهما',
        few: 'أوقف ديوان # خطافات ويب لتكرار فشلها',
        many: 'أوقف ديوان # خطاف ويب لتكرار فشلها',
        other: 'أوقف ديوان # خطاف ويب لتكرار فشلها',
      }),
  },
})
