import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { FailedJob } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useStanding } from '../../frame/standing.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Button, Link } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Figure, Name, Told } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { say } from '../../parts/toast.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useServiceWords } from './words.ts'

/** Jobs that failed in spite of many attempts. */
export default function FailedJobs() {
  const t = useServiceWords()
  const jobs = useCollection('GET /jobs/failed')
  const [givingUp, setGivingUp] = useState<FailedJob>()
  return (
    <Page title={t.jobs} lead={t.jobsLead}>
      <LoadedCollection of={jobs} empty={t.noJobs}>
        {rows => <JobsTable rows={rows} onRun={jobs.reload} onGiveUp={setGivingUp} />}
      </LoadedCollection>
      {givingUp && (
        <Confirm
          title={t.giveUpTitle}
          verb={t.giveUp}
          act={() => call('DELETE /jobs/failed/{job}', { params: { job: givingUp.id } })}
          onClose={() => setGivingUp(undefined)}
          onDone={() => {
            say(t.wasGivenUp)
            jobs.reload()
          }}
        >
          <p>
            <strong>{t.jobKinds[givingUp.kind]}</strong>
          </p>
          <p>{t.giveUpLead}</p>
        </Confirm>
      )}
    </Page>
  )
}

interface JobsTableProps {
  rows: FailedJob[]
  onRun: () => void
  onGiveUp: (job: FailedJob) => void
}

function JobsTable({ rows, onRun, onGiveUp }: JobsTableProps) {
  const t = useServiceWords()
  const common = useCommonWords()
  const { may } = useStanding()
  const runAgain = async ({ id }: FailedJob) => {
    await call('POST /jobs/failed/{job}/retry', { params: { job: id } })
    say(t.willRun)
  }
  return (
    <Table
      label={t.jobs}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: t.job, main: true, show: ({ kind }) => t.jobKinds[kind] },
        {
          title: t.company,
          show: ({ company }) =>
            company ? (
              <Link to={`/companies/${company.id}`}>
                <Name>{company.name}</Name>
              </Link>
            ) : (
              '—'
            ),
        },
        { title: t.reason, long: true, show: job => <Reason of={job} /> },
        { title: t.attempts, figures: true, show: ({ attempts }) => <Figure>{attempts}</Figure> },
        { title: t.failedAt, show: ({ failed_at }) => <Time at={failed_at} /> },
        {
          title: common.actions,
          actions: true,
          show: job => (
            <>
              {may('retryJob') && (
                <ActButton icon="replay" act={() => runAgain(job)} onDone={onRun}>
                  {t.runAgain}
                </ActButton>
              )}
              {may('deleteFailedJob') && (
                <Button quiet onClick={() => onGiveUp(job)}>
                  {t.giveUp}
                </Button>
              )}
            </>
          ),
        },
      ]}
    />
  )
}

/** The sentence first; the technical error is there for whoever wants it. */
function Reason({ of: { reason, error } }: { of: FailedJob }) {
  const t = useServiceWords()
  return (
    <>
      <p>
        <Told>{reason}</Told>
      </p>
      {error && (
        <details>
          <summary class="quiet">{t.error}</summary>
          <p class="code" dir="ltr">
            {error}
          </p>
        </details>
      )}
    </>
  )
}
