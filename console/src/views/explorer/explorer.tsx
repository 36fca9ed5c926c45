import { useState } from 'preact/hooks'
import { useLoading } from '../../api/use-answer.ts'
import { useQuery } from '../../frame/address.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { ShownOnce } from '../../parts/secret.tsx'
import '../../style/explorer.css'
import { useLanguage } from '../../words/language.ts'
import { takeCarriedKey } from './carried-key.ts'
import { type ApiDescription, loadDescription } from './description.ts'
import { EndpointList } from './endpoint-list.tsx'
import { Try } from './try.tsx'
import { useExplorerWords } from './words.ts'

/** The API, called by hand. The key is kept in this component and nowhere else; a new one may be carried here. */
export default function Explorer() {
  const t = useExplorerWords()
  const language = useLanguage()
  const [carried] = useState(takeCarriedKey)
  const [key, setKey] = useState(carried?.key ?? '')
  const description = useLoading(signal => loadDescription(language, signal), [language])
  const isOdd = key.trim() !== '' && !key.trim().startsWith('svc_api_')
  return (
    <Page title={t.title} lead={t.lead}>
      {carried && !carried.isCopied && <ShownOnce value={carried.key} label={t.key} />}
      <Card>
        <div class="narrow">
          <TextField
            label={t.key}
            hint={t.keyHint}
            problem={isOdd ? t.notAKey : undefined}
            type="password"
            code
            value={key}
            onChange={setKey}
            autoComplete="off"
          />
        </div>
      </Card>
      <Loaded of={description}>{data => <Endpoints of={data} apiKey={isOdd ? '' : key.trim()} />}</Loaded>
    </Page>
  )
}

function Endpoints({ of: description, apiKey }: { of: ApiDescription; apiKey: string }) {
  const t = useExplorerWords()
  const [chosen, setChosen] = useQuery('endpoint')
  const endpoint = description.endpoints.find(({ id }) => id === chosen)
  return (
    <div class="explorer" data-chosen={endpoint ? true : undefined}>
      <EndpointList endpoints={description.endpoints} chosen={endpoint?.id} onChoose={setChosen} />
      <div class="explorer-try">
        {endpoint ? (
          <>
            <Button quiet class="explorer-back" onClick={() => setChosen('')}>
              {t.all}
            </Button>
            <Try key={endpoint.id} endpoint={endpoint} description={description} apiKey={apiKey} />
          </>
        ) : (
          <div class="empty">
            <p>{t.choose}</p>
          </div>
        )}
      </div>
    </div>
  )
}
