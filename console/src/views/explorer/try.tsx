import { useState } from 'preact/hooks'
import { useAction } from '../../api/use-action.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Card } from '../../parts/page.tsx'
import { Copyable } from '../../parts/secret.tsx'
import { Code } from '../../parts/text.tsx'
import { Answer } from './answer.tsx'
import { type ApiAnswer, curlOf, type Filled, fieldOf, requestOf, sendRequest } from './api-request.ts'
import { Described } from './described.tsx'
import type { ApiDescription, Endpoint } from './description.ts'
import { Method } from './method.tsx'
import { Parameters } from './parameters.tsx'
import { useExplorerWords } from './words.ts'

interface TryProps {
  endpoint: Endpoint
  description: ApiDescription
  apiKey: string
}

/** One endpoint: what it takes, the call as it will be sent, and what came back. */
export function Try({ endpoint, description, apiKey }: TryProps) {
  const t = useExplorerWords()
  const [filled, setFilled] = useState<Filled>({ values: {}, body: endpoint.example ?? '' })
  const [answer, setAnswer] = useState<ApiAnswer>()
  const [asked, setAsked] = useState(false)
  const request = requestOf(description.prefix, endpoint, filled)
  const send = async () => {
    setAnswer(undefined)
    setAnswer(await sendRequest(apiKey, request))
  }
  // A deletion asks first, and is sent once confirmed.
  const action = useAction(async () => (endpoint.method === 'DELETE' ? setAsked(true) : send()))
  const problem = useProblem(endpoint, filled, apiKey)
  return (
    <>
      <Card
        title={
          <span class="row">
            <Method of={endpoint.method} />
            <Described text={endpoint.summary} />
          </span>
        }
      >
        <div class="stack">
          <p>
            <Code>{description.prefix + endpoint.path}</Code>
          </p>
          {endpoint.description && (
            <div class="quiet">
              {endpoint.description.split('\n').map(
                line =>
                  line && (
                    <p key={line}>
                      <Described text={line} />
                    </p>
                  ),
              )}
            </div>
          )}
          <Form action={action} submit={t.send} missing={problem}>
            <Parameters endpoint={endpoint} filled={filled} onChange={setFilled} />
          </Form>
        </div>
      </Card>
      {answer && <Answer of={answer} headers={description.headers} name={endpoint.id} />}
      <Card title={t.curl}>
        <Copyable value={curlOf(request)} label={t.curl} />
      </Card>
      {asked && (
        <Confirm title={t.ask} verb={t.send} act={send} onClose={() => setAsked(false)}>
          <p>{t.askWhat}</p>
          <p>
            <Code>
              {request.method} {request.path}
            </Code>
          </p>
        </Confirm>
      )}
    </>
  )
}

/** Why it cannot be sent yet. */
function useProblem(endpoint: Endpoint, { values, body }: Filled, apiKey: string): string | undefined {
  const t = useExplorerWords()
  const missing = endpoint.parameters.find(one => one.in === 'path' && !values[fieldOf(one)]?.trim())
  if (missing) return t.missing(missing.name)
  if (endpoint.example !== undefined && !isJson(body)) return t.notJson
  if (!/^[\x21-\x7e]+$/.test(apiKey)) return t.keyMissing
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
