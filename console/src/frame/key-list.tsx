import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { CheckField } from '../parts/form.tsx'
import { words } from '../words/language.ts'
import { areKeysOn, switchKeys } from './single-keys.ts'
import '../style/work.css'

const useKeyWords = words({
  en: {
    title: 'Keyboard',
    palette: 'Find any record, view or action',
    newTask: 'New task, in a project or a list',
    move: 'To the next or previous task',
    arrows: 'The same, from a task',
    space: 'Complete the task, or open it from its title',
    select: 'Select the task; with Shift, all up to it',
    open: 'Open the task',
    complete: 'Complete the task, or reopen it',
    search: 'Search',
    list: 'These keys',
    close: 'Close what is open, or bring back what a field held',
    next: 'To the next field, link or button',
    enter: 'Add, or save',
    send: 'Send a comment',
    on: 'Use single keys',
  },
  ar: {
    title: 'لوحة المفاتيح',
    palette: 'العثور على أي سجل أو صفحة أو إجراء',
    newTask: 'مهمة جديدة، في مشروع أو قائمة',
    move: 'إلى المهمة التالية أو السابقة',
    arrows: 'الأمر نفسه، من مهمة إلى أخرى',
    space: 'إكمال المهمة، أو فتحها من عنوانها',
    select: 'تحديد المهمة، ومع \u2068Shift\u2069 كل ما قبلها حتى آخر تحديد',
    open: 'فتح المهمة',
    complete: 'إكمال المهمة أو إعادة فتحها',
    search: 'البحث',
    list: 'هذه المفاتيح',
    close: 'إغلاق المفتوح، أو استعادة ما كان في الحقل',
    next: 'إلى الحقل أو الرابط أو الزر التالي',
    enter: 'إضافة أو حفظ',
    send: 'إرسال التعليق',
    on: 'استخدام المفاتيح المفردة',
  },
})

/** What the keys do. */
export function KeyList({ onClose }: { onClose: () => void }) {
  const t = useKeyWords()
  const [isOn, setOn] = useState(areKeysOn)
  const keys = [
    ['Ctrl K', t.palette],
    ['n', t.newTask],
    ['j  k', t.move],
    ['↓  ↑', t.arrows],
    ['x', t.select],
    ['e', t.open],
    ['c', t.complete],
    ['Space', t.space],
    ['/', t.search],
    ['?', t.list],
    ['Enter', t.enter],
    ['Ctrl Enter', t.send],
    ['Escape', t.close],
    ['Tab', t.next],
  ] as const
  const change = (on: boolean) => {
    switchKeys(on)
    setOn(on)
  }
  return (
    <Dialog title={t.title} onClose={onClose}>
      <div class="stack">
        <dl class="keys">
          {keys.map(([key, means]) => (
            <div key={key}>
              <dt>
                <kbd dir="ltr">{key}</kbd>
              </dt>
              <dd>{means}</dd>
            </div>
          ))}
        </dl>
        <CheckField label={t.on} checked={isOn} onChange={change} />
      </div>
    </Dialog>
  )
}
