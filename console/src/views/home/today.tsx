import type { TodaysChange } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useCompany } from '../../frame/standing.ts'
import { useLive } from '../../live/use-live.ts'
import { Link } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Name } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { isolate } from '../../words/language.ts'
import { addressOfChanged } from '../changes/changed-record.ts'
import { useWorkAddresses, type WorkAddresses } from '../records/addresses.ts'
import { useTodayWords } from './today-words.ts'

/** It is read again less often than what people work on. */
const AFTER_MS = 2_000

/** What was done today in the projects that the reader sees. */
export function Today() {
  const t = useTodayWords()
  const { id: company } = useCompany()
  const today = useAnswer('GET /companies/{company}/records/me/today', { params: { company } })
  useLive(
    { kinds: ['project', 'task_list', 'task', 'comment', 'discussion', 'folder', 'file'] },
    today.reload,
    AFTER_MS,
  )
  return (
    <Card title={t.title}>
      <Loaded of={today}>
        {({ data }) =>
          data.length === 0 ? (
            <div class="empty">{t.nothing}</div>
          ) : (
            <ul class="told">
              {data.map(group => (
                <Done key={keyOf(group)} group={group} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

const keyOf = ({ actor, kind, change, project }: TodaysChange) => [actor, kind, change, project.id].join()

function Done({ group }: { group: TodaysChange }) {
  const t = useTodayWords()
  const addresses = useWorkAddresses()
  const { actor, kind, change, count, project, latest } = group
  const title = count === 1 && latest.title !== null && <Name>{latest.title}</Name>
  const address = addressOfLatest(group, addresses)
  return (
    <li>
      <p>
        {t.did(actor && isolate(actor), change, t.kinds[kind](count))}{' '}
        {kind !== 'project' && (
          <>
            {t.inProject}{' '}
            <Link to={addresses.project(project.id)}>
              <Name>{project.name}</Name>
            </Link>
            {title && ': '}
          </>
        )}
        {title && (address ? <Link to={address}>{title}</Link> : title)}
      </p>
      <p class="quiet">
        {t.byWhom(actor && isolate(actor))} <Ago at={latest.at} />
      </p>
    </li>
  )
}

/** Where the last record is shown; what was deleted is shown nowhere. */
function addressOfLatest(
  { kind, change, project, latest }: TodaysChange,
  addresses: WorkAddresses,
): string | undefined {
  if (change === 'deleted') return undefined
  const { id, title, parent_id } = latest
  return addressOfChanged({ record: { type: kind, id, title }, project, parent_id }, addresses)
}
