import type { NotificationKind, SubjectType } from '../../api/types.ts'
import { words } from '../../words/language.ts'

interface ActivityWords {
  timeline: { title: string; lead: string; empty: string }
  notifications: {
    title: string
    leadOwn: string
    leadAll: string
    empty: string
    person: string
    mailed: string
    notMailed: string
    kinds: Record<NotificationKind, string>
  }
  what: string
  subject: string
  subjects: Record<SubjectType, string>
}

export const useActivityWords = words<ActivityWords>({
  en: {
    timeline: {
      title: 'Timeline',
      lead: 'What happened in the discussions of the company, newest first.',
      empty: 'Nothing has happened yet. New discussions and replies will appear here.',
    },
    notifications: {
      title: 'Notifications',
      leadOwn: 'What Diwan has told you, newest first.',
      leadAll: 'What Diwan has told the people of the company, newest first.',
      empty: 'There are no notifications yet. Invitations, new discussions and replies will appear here.',
      person: 'To',
      mailed: 'Emailed',
      notMailed: 'Not emailed',
      kinds: {
        discussion_created: 'New discussion',
        discussion_replied: 'New reply',
        file_infected: 'Virus found in a file',
        file_unscanned: 'File could not be scanned',
        calendar_connected: 'Calendar connected',
        calendar_disconnected: 'Calendar disconnected',
        calendar_failing: 'Calendar cannot be reached',
        webhook_failing: 'Webhook is failing',
        webhook_switched_off: 'Webhook was switched off',
        invitation: 'Invitation to the company',
        event_invited: 'Invitation to an event',
        event_changed: 'Event changed',
        event_removed: 'No longer invited to an event',
        event_cancelled: 'Event cancelled',
      },
    },
    what: 'What',
    subject: 'About',
    subjects: {
      discussion: 'Discussion',
      event: 'Event',
      file: 'File',
      calendar: 'Calendar',
      company: 'Company',
      webhook: 'Webhook',
    },
  },
  ar: {
    timeline: {
      title: 'الخط الزمني',
      lead: 'ما جرى في نقاشات الشركة، من الأحدث إلى الأقدم.',
      empty: 'لم يحدث شيء بعد. ستظهر هنا النقاشات الجديدة والردود.',
    },
    notifications: {
      title: 'الإشعارات',
      leadOwn: 'ما أبلغك به ديوان، من الأحدث إلى الأقدم.',
      leadAll: 'ما أبلغ به ديوان أشخاص الشركة، من الأحدث إلى الأقدم.',
      empty: 'لا توجد إشعارات بعد. ستظهر هنا الدعوات والنقاشات الجديدة والردود.',
      person: 'المستلم',
      mailed: 'أُرسل بالبريد',
      notMailed: 'لم يُرسل بالبريد',
      kinds: {
        discussion_created: 'نقاش جديد',
        discussion_replied: 'رد جديد',
        file_infected: 'عُثر على فيروس في ملف',
        file_unscanned: 'تعذّر فحص ملف',
        calendar_connected: 'رُبط تقويم',
        calendar_disconnected: 'فُصل تقويم',
        calendar_failing: 'تعذّر الوصول إلى التقويم',
        webhook_failing: 'خطاف ويب متعثر',
        webhook_switched_off: 'أُوقف خطاف ويب',
        invitation: 'دعوة إلى الشركة',
        event_invited: 'دعوة إلى موعد',
        event_changed: 'تغيّر موعد',
        event_removed: 'أُلغيت دعوتك إلى موعد',
        event_cancelled: 'أُلغي موعد',
      },
    },
    what: 'الحدث',
    subject: 'بشأن',
    subjects: {
      discussion: 'نقاش',
      event: 'موعد',
      file: 'ملف',
      calendar: 'تقويم',
      company: 'الشركة',
      webhook: 'خطاف ويب',
    },
  },
})
