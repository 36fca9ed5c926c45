import { useState } from 'preact/hooks'
import { SelectField } from '../../parts/form.tsx'
import { Copyable } from '../../parts/secret.tsx'
import { VERIFICATION } from './verification.ts'
import { useWebhooksWords } from './words.ts'

type Tool = keyof typeof VERIFICATION
const TOOLS = Object.keys(VERIFICATION) as Tool[]

/** How a receiver tells a message of Diwan from any other. */
export function Verifying() {
  const t = useWebhooksWords()
  const [tool, setTool] = useState<Tool>('JavaScript')
  return (
    <div class="stack">
      <p class="quiet">{t.verifyLead}</p>
      <div class="narrow">
        <SelectField
          label={t.verifyIn}
          value={tool}
          onChange={setTool}
          options={TOOLS.map(one => [one, one] as const)}
        />
      </div>
      <Copyable value={VERIFICATION[tool]} label={tool} />
    </div>
  )
}
