import type { Counts } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Card } from '../../parts/page.tsx'
import { type Notice, useNotices } from '../overview/notices.ts'
import { FirstSteps } from './first-steps.tsx'
import { useLeaderWords } from './leader-words.ts'
import '../../style/home-leaders.css'

const REFRESHED_EVERY_MS = 60_000

/** What only those who lead see at home: how to begin, and what waits for a decision. */
export function ForLeaders() {
  return useStanding().may('getCounts') ? <Counted /> : null
}

/** While it loads, and when it cannot be loaded, the rest of the page is enough. */
function Counted() {
  const { id: company } = useCompany()
  const counts = useAnswer('GET /companies/{company}/counts', { params: { company } }, REFRESHED_EVERY_MS).data?.data
  if (!counts) return null
  return (
    <>
      <FirstSteps counts={counts} />
      <NeedsDecision counts={counts} />
    </>
  )
}

function NeedsDecision({ counts }: { counts: Counts }) {
  const t = useLeaderWords()
  const notices = useNotices(counts)
  if (notices.length === 0) return null
  return (
    <Card title={t.needsDecision}>
      <ul class="decisions">
        {notices.map(notice => (
          <Decision key={notice.text} of={notice} />
        ))}
      </ul>
    </Card>
  )
}

function Decision({ of: { text, to } }: { of: Notice }) {
  return (
    <li>
      <Icon name="warning" />
      {to ? <Link to={to}>{text}</Link> : text}
    </li>
  )
}
