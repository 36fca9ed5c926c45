import type { RecordedChange } from '../../api/types.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Link } from '../../parts/button.tsx'
import { DayLog } from '../../parts/day-log.tsx'
import { Doer } from '../../parts/doer.tsx'
import { Sentence } from '../../parts/sentence.tsx'
import { Code, Name } from '../../parts/text.tsx'
import { type Deed, useDeedWords } from '../../words/deeds.ts'
import { useWorkAddresses } from '../records/addresses.ts'
import { addressOfChanged } from './changed-record.ts'
import { useChangesWords } from './words.ts'
import '../../style/records.css'

export function ChangesLog({ rows }: { rows: RecordedChange[] }) {
  const t = useChangesWords()
  return (
    <DayLog label={t.title} rows={rows} keyOf={({ id }) => id} at={({ at }) => at}>
      {change => (
        <>
          <p>
            <Told of={change} />
          </p>
          <Where of={change} />
          <Fields of={change} />
        </>
      )}
    </DayLog>
  )
}

function Told({ of: change }: { of: RecordedChange }) {
  const t = useDeedWords()
  const { parent_kind } = change
  return (
    <Sentence
      text={t.sentence(deedOf(change))}
      fill={{
        who: <Who of={change} />,
        what: <Changed of={change} />,
        parent: parent_kind && t.thing[parent_kind],
      }}
    />
  )
}

const OF_COMMENTS: Partial<Record<RecordedChange['change'], Deed>> = {
  created: 'commented',
  updated: 'changedComment',
  deleted: 'deletedComment',
}

function deedOf({ change, kind }: RecordedChange): Deed {
  return kind === 'comment' ? (OF_COMMENTS[change] ?? 'changedComment') : `${change} ${kind}`
}

/** Its current title, with a link to it; if the record is gone, only the identifier. */
function Changed({ of: change }: { of: RecordedChange }) {
  const t = useChangesWords()
  const to = addressOfChanged(change, useWorkAddresses())
  const { id, title } = change.record
  if (title === null)
    return (
      <>
        <Code>{id}</Code> <span class="quiet">({t.gone})</span>
      </>
    )
  const name = <Name>{title}</Name>
  return to ? <Link to={to}>{name}</Link> : name
}

function Who({ of: { actor, key } }: { of: RecordedChange }) {
  const t = useDeedWords()
  const { id } = useCompany()
  const { may } = useStanding()
  if (key)
    return <Doer text={t.who[key.kind]} name={key.name} to={may('getKey') && `/companies/${id}/keys/${key.id}`} />
  return actor === null ? t.who.diwan : <Doer text={t.who.person} name={actor} />
}

/** In which project it was; and for a key, in whose name. */
function Where({ of: { project, kind, key, actor } }: { of: RecordedChange }) {
  const t = useChangesWords()
  const addresses = useWorkAddresses()
  const inProject = project && kind !== 'project' && (
    <Sentence
      text={t.inProject}
      fill={{
        project: (
          <Link to={addresses.project(project.id)}>
            <Name>{project.name}</Name>
          </Link>
        ),
      }}
    />
  )
  const onBehalf = key && actor && <Sentence text={t.onBehalfOf} fill={{ actor: <Name>{actor}</Name> }} />
  if (!inProject && !onBehalf) return null
  return (
    <p class="quiet">
      {inProject}
      {inProject && onBehalf && ' · '}
      {onBehalf}
    </p>
  )
}

function Fields({ of: { fields } }: { of: RecordedChange }) {
  const t = useChangesWords()
  if (!fields || fields.length === 0) return null
  return (
    <details class="entry-details">
      <summary>{t.fields}</summary>
      <div class="fields">
        {fields.map(field => (
          <Code key={field}>{field}</Code>
        ))}
      </div>
    </details>
  )
}
