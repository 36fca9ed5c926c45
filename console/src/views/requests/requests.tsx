import type { LoggedRequest } from '../../api/types.ts'
import { useCollection } from '../../api/use-collection.ts'
import { useCompany } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { KeyName } from '../../parts/key-name.tsx'
import { LoadedCollection } from '../../parts/loaded.tsx'
import { NothingYet } from '../../parts/nothing-yet.tsx'
import { Page } from '../../parts/page.tsx'
import { StatusBadge } from '../../parts/status.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Code, Told } from '../../parts/text.tsx'
import { Time } from '../../parts/time.tsx'
import { useCommonWords } from '../../words/common.ts'
import { RequestFilterFields, type RequestFilters, useRequestFilters } from './filters.tsx'
import '../../style/requests.css'
import { useRequestsWords } from './words.ts'

const REFRESHED_EVERY_MS = 10_000

/** The log of requests: what somebody looks at whose program does not work. */
export default function Requests() {
  const t = useRequestsWords()
  const { id: company } = useCompany()
  const columns = useColumns()
  const filters = useRequestFilters()
  const requests = useCollection(
    'GET /companies/{company}/requests',
    { params: { company }, query: filters.query },
    REFRESHED_EVERY_MS,
  )
  return (
    <Page title={t.title} lead={t.lead}>
      <RequestFilterFields of={filters} />
      <LoadedCollection of={requests} empty={<Nothing filters={filters} />}>
        {rows => (
          <div class="request-log">
            <Table
              label={t.title}
              columns={columns}
              rows={rows}
              keyOf={({ request_id, at }) => `${request_id} ${at}`}
            />
          </div>
        )}
      </LoadedCollection>
    </Page>
  )
}

function Nothing({ filters: { values, isFiltered, clear } }: { filters: RequestFilters }) {
  const t = useRequestsWords()
  const common = useCommonWords()
  if (!isFiltered) return <NothingYet next="callApi">{t.empty}</NothingYet>
  return (
    <>
      <p>{values.request_id ? t.notFound : common.noMatch}</p>
      <Button onClick={clear}>{common.clearFilters}</Button>
    </>
  )
}

function useColumns(): Column<LoggedRequest>[] {
  const t = useRequestsWords()
  const common = useCommonWords()
  return [
    {
      title: t.request,
      main: true,
      show: ({ method, path, request_id }) => (
        <>
          <Code>
            {method} <Path>{path}</Path>
          </Code>
          <p class="quiet">
            <span class="read-out">{t.id} </span>
            <Code>{request_id}</Code>
          </p>
        </>
      ),
    },
    { title: common.when, show: ({ at }) => <Time at={at} seconds /> },
    { title: t.key, show: request => <Caller of={request} /> },
    {
      title: t.answer,
      long: true,
      show: ({ status, code, message, ms }) => (
        <>
          <span class="row">
            <StatusBadge of={status} />
            {code && <Code>{code}</Code>}
            <bdi class="quiet">{t.ms(ms)}</bdi>
          </span>
          {message && (
            <p class="quiet">
              <Told>{message}</Told>
            </p>
          )}
        </>
      ),
    },
  ]
}

/** What is longer than any ref may be anything, and breaks anywhere. */
const LONGEST_WHOLE = 24

/** It breaks before a slash rather than in a ref. */
function Path({ children }: { children: string }) {
  return (
    <>
      {children.split(/(?=\/)/).map((part, n) => (
        <>
          {n > 0 && <wbr />}
          {part.length > LONGEST_WHOLE ? part : <span class="whole">{part}</span>}
        </>
      ))}
    </>
  )
}

/** The key, and what it needs for such a request. */
function Caller({ of: { key, operation } }: { of: LoggedRequest }) {
  return (
    <>
      <KeyName of={key} />
      {operation && (
        <p class="quiet operation">
          <Code>{operation}</Code>
        </p>
      )}
    </>
  )
}
