import type { SearchResult } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useQuery } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useRecordKinds } from '../../words/record-kinds.ts'
import { ADDRESSES, Hit } from './hit.tsx'
import { useSearchWords } from './words.ts'
import '../../style/records.css'

type Kind = SearchResult['type']

const A_FEW = 5
/** The most hits of a kind that the server returns. */
const MANY = 25

/** What has a name like this, kind by kind. */
export default function Search() {
  const t = useSearchWords()
  const kinds = useRecordKinds()
  const [q, setQ] = useQuery('q')
  const [kind, setKind] = useQuery('kind')
  return (
    <Page title={t.title} lead={t.lead}>
      <div class="search">
        <SearchField label={t.field} value={q} onChange={setQ} autoFocus />
        <SelectField
          label={t.kind}
          value={kind}
          onChange={setKind}
          options={[
            ['', t.allKinds],
            ...(Object.keys(ADDRESSES) as Kind[]).map(each => [each, kinds[each].several] as const),
          ]}
        />
      </div>
      {q.trim() === '' ? (
        <div class="empty">{t.begin}</div>
      ) : (
        <Results q={q} kind={kind as Kind | ''} onKind={setKind} />
      )}
    </Page>
  )
}

interface ResultsProps {
  q: string
  kind: Kind | ''
  onKind: (kind: Kind) => void
}

function Results({ q, kind, onKind }: ResultsProps) {
  const t = useSearchWords()
  const kinds = useRecordKinds()
  const { id } = useCompany()
  const answer = useAnswer('GET /companies/{company}/records/search', {
    params: { company: id },
    query: { q, ...(kind && { types: [kind] }), per_type: kind ? MANY : A_FEW },
  })
  return (
    <Loaded of={answer}>
      {({ data: { results, truncated } }) =>
        results.length === 0 ? (
          <div class="empty">{t.nothing}</div>
        ) : (
          [...Map.groupBy(results, ({ type }) => type)].map(([type, hits]) => (
            <Card key={type} title={kinds[type].several}>
              <ul class="hits">
                {hits.map(hit => (
                  <Hit key={`${hit.type} ${hit.id ?? hit.folder_id}`} of={hit} />
                ))}
              </ul>
              {truncated.includes(type) && (
                <p class="row">
                  <span class="quiet">{t.more}</span>
                  {!kind && (
                    <Button quiet onClick={() => onKind(type)}>
                      {t.onlyThese}
                    </Button>
                  )}
                </p>
              )}
            </Card>
          ))
        )
      }
    </Loaded>
  )
}
