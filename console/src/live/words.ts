import { count, words } from '../words/language.ts'

export const useLiveWords = words({
  en: {
    lost: 'The connection is lost. What you write is kept here.',
    unread: (n: number) => `${count('en', n, { one: '# unread', other: '# unread' })}`,
  },
  ar: {
    lost: 'انقطع الاتصال. ما تكتبه محفوظ هنا.',
    unread: (n: number) =>
      count('ar', n, {
        one: 'إشعار غير مقروء',
        two: 'إشعاران غير مقروءين',
        few: '# إشعارات غير مقروءة',
        many: '# إشعارًا غير مقروء',
        other: '# إشعار غير مقروء',
      }),
  },
})
