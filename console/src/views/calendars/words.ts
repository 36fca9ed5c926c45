import type { Calendar } from '../../api/types.ts'
import { words } from '../../words/language.ts'

interface CalendarWords {
  title: string
  leadOwn: string
  leadAll: string
  empty: string
  connect: string
  connecting: string
  person: string
  personShort: string
  choosePerson: string
  calendar: string
  url: string
  urlHint: string
  username: string
  password: string
  passwordHint: string
  newPassword: string
  keepPassword: string
  synced: string
  notYet: string
  change: string
  changeTitle: string
  changeLead: string
  disconnect: string
  disconnectLead: string
  connected: string
  changed: string
  disconnected: string
  lastError: string
  failing: string
  states: Record<Calendar['state'], string>
}

export const useCalendarWords = words<CalendarWords>({
  en: {
    title: 'Calendars',
    leadOwn: 'Your events are kept up to date in these calendars.',
    leadAll: 'Events are kept up to date in the calendars that people have connected.',
    empty: 'No calendar is connected. Connect one to see the events of Diwan in it.',
    connect: 'Connect a calendar',
    connecting: 'The address and the password are tried before they are stored.',
    person: 'Whose calendar it is',
    personShort: 'Person',
    choosePerson: 'Choose a person',
    calendar: 'Calendar',
    url: 'Address of the calendar',
    urlHint: 'The CalDAV address of the calendar itself. It begins with https:// or http://.',
    username: 'User name',
    password: 'Password',
    passwordHint: 'Use an app password where the server offers one. It is stored encrypted and never shown.',
    newPassword: 'New password',
    keepPassword: 'Leave it empty to keep the password that is stored.',
    synced: 'Last sent',
    notYet: 'Not yet',
    change: 'Change credentials',
    changeTitle: 'Change credentials',
    changeLead: 'The new credentials are tried first. Changes that are waiting are sent at once.',
    disconnect: 'Disconnect',
    disconnectLead:
      'The password is deleted. Events that are in the calendar already stay there and are no longer updated.',
    connected: 'The calendar has been connected.',
    changed: 'The credentials have been changed.',
    disconnected: 'The calendar has been disconnected.',
    lastError: 'Last error',
    failing: 'Nothing could be sent for more than a day. Check the credentials.',
    states: { connected: 'Connected', failing: 'Failing' },
  },
  ar: {
    title: 'التقاويم',
    leadOwn: 'تُحدَّث مواعيدك في هذه التقاويم تلقائيًّا.',
    leadAll: 'تُحدَّث المواعيد تلقائيًّا في التقاويم التي ربطها الأشخاص.',
    empty: 'لا يوجد تقويم مربوط. بعد ربط تقويم تظهر فيه مواعيد ديوان.',
    connect: 'ربط تقويم',
    connecting: 'يُجرَّب العنوان وكلمة المرور قبل حفظهما.',
    person: 'صاحب التقويم',
    personShort: 'الشخص',
    choosePerson: 'اختيار شخص',
    calendar: 'التقويم',
    url: 'عنوان التقويم',
    urlHint: 'عنوان \u2068CalDAV\u2069 للتقويم نفسه. يبدأ بـ ⁨https://⁩ أو ⁨http://⁩.',
    username: 'اسم المستخدم',
    password: 'كلمة المرور',
    passwordHint: 'الأفضل كلمة مرور خاصة بالتطبيقات إن أتاحها الخادم. تُحفظ مشفَّرة ولا تُعرض أبدًا.',
    newPassword: 'كلمة المرور الجديدة',
    keepPassword: 'تُترك فارغة للإبقاء على كلمة المرور المحفوظة.',
    synced: 'آخر إرسال',
    notYet: 'ليس بعد',
    change: 'تغيير بيانات الدخول',
    changeTitle: 'تغيير بيانات الدخول',
    changeLead: 'تُجرَّب البيانات الجديدة أولًا، ثم تُرسل التغييرات المنتظرة فورًا.',
    disconnect: 'فصل',
    disconnectLead: 'تُحذف كلمة المرور. تبقى المواعيد الموجودة في التقويم ولا تُحدَّث بعد ذلك.',
    connected: 'رُبط التقويم.',
    changed: 'غُيّرت بيانات الدخول.',
    disconnected: 'فُصل التقويم.',
    lastError: 'آخر خطأ',
    failing: 'تعذّر إرسال أي شيء منذ أكثر من يوم. يُرجى التحقق من بيانات الدخول.',
    states: { connected: 'مربوط', failing: 'متعثر' },
  },
})
