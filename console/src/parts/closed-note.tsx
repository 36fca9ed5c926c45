import { useStanding } from '../frame/standing.ts'
import { words } from '../words/language.ts'
import { Link } from './button.tsx'
import { Note } from './text.tsx'
import { Time } from './time.tsx'

const useClosedWords = words({
  en: {
    since: 'This company has been closed since',
    means: 'Its people and keys are locked out, and nothing in it can be changed.',
    reopen: 'Reopen it',
  },
  ar: {
    since: 'هذه الشركة مغلقة منذ',
    means: 'لا يستطيع أشخاصها الدخول، ولا تعمل مفاتيحها، ولا يمكن تغيير شيء فيها.',
    reopen: 'إعادة فتحها',
  },
})

/** On every view of a closed company, so that nobody takes it for an open one. Only the operator still sees it. */
export function ClosedNote() {
  const t = useClosedWords()
  const { company, may } = useStanding()
  if (!company?.closed_at) return null
  return (
    <div class="above-view">
      <Note tone="bad">
        <p>
          <strong>
            {t.since} <Time at={company.closed_at} />.
          </strong>{' '}
          {t.means} {may('reopenCompany') && <Link to={`/companies/${company.id}/terms`}>{t.reopen}</Link>}
        </p>
      </Note>
    </div>
  )
}
