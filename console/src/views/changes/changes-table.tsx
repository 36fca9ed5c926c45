import type { RecordedChange } from '../../api/types.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Table } from '../../parts/table.tsx'
import { Badge, Code, Name, type Tone } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useRecordKinds } from '../../words/record-kinds.ts'
import { useWorkAddresses } from '../records/addresses.ts'
import { addressOfChanged } from './changed-record.ts'
import { useChangesWords } from './words.ts'
import '../../style/records.css'

const TONES: Partial<Record<RecordedChange['change'], Tone>> = {
  created: 'good',
  completed: 'good',
  restored: 'good',
  deleted: 'bad',
}

export function ChangesTable({ rows }: { rows: RecordedChange[] }) {
  const t = useChangesWords()
  const common = useCommonWords()
  const addresses = useWorkAddresses()
  return (
    <Table
      label={t.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: t.record, main: true, show: change => <Changed of={change} /> },
        { title: t.what, show: change => <What of={change} /> },
        { title: common.who, show: change => <Who of={change} /> },
        {
          title: t.project,
          show: ({ project }) =>
            project ? (
              <Link to={addresses.project(project.id)}>
                <Name>{project.name}</Name>
              </Link>
            ) : (
              '—'
            ),
        },
        { title: common.when, show: ({ at }) => <Time at={at} /> },
      ]}
    />
  )
}

/** Its current title, with a link to it; if the record is gone, only the identifier. */
function Changed({ of: change }: { of: RecordedChange }) {
  const t = useChangesWords()
  const kinds = useRecordKinds()
  const addresses = useWorkAddresses()
  const { record } = change
  const to = addressOfChanged(change, addresses)
  const title =
    record.title === null ? (
      <span class="quiet">
        <Code>{record.id}</Code> {t.gone}
      </span>
    ) : (
      <Name>{record.title}</Name>
    )
  return (
    <>
      <div class="quiet">
        {kinds[record.type].one} {record.type === 'comment' && record.title !== null && t.about}
      </div>
      {to ? <Link to={to}>{title}</Link> : title}
    </>
  )
}

function What({ of: { change, fields } }: { of: RecordedChange }) {
  const t = useChangesWords()
  return (
    <>
      <Badge tone={TONES[change] ?? 'plain'}>{t.changes[change]}</Badge>
      {fields && fields.length > 0 && (
        <div class="quiet fields">
          {fields.map(field => (
            <Code key={field}>{field}</Code>
          ))}
        </div>
      )}
    </>
  )
}

function Who({ of: { actor, key } }: { of: RecordedChange }) {
  const t = useChangesWords()
  const { id } = useCompany()
  const { may } = useStanding()
  if (!key) return actor === null ? <span class="quiet">{t.service}</span> : <Name>{actor}</Name>
  const name = <Name>{key.name}</Name>
  return (
    <>
      <span class="with-icon">
        <Icon name="keys" />
        {may('getKey') ? <Link to={`/companies/${id}/keys/${key.id}`}>{name}</Link> : name}
      </span>
      <div class="quiet">
        <Name>{actor}</Name>
      </div>
    </>
  )
}
