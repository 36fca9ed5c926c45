import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Company, CreatedSandbox } from '../../api/types.ts'
import { beginAgain } from '../../frame/address.ts'
import { useStanding } from '../../frame/standing.ts'
import { ActButton } from '../../parts/act-button.tsx'
import { Button } from '../../parts/button.tsx'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { Card } from '../../parts/page.tsx'
import { ShownOnce } from '../../parts/secret.tsx'
import { say } from '../../parts/toast.tsx'
import { useCommonWords } from '../../words/common.ts'
import { useSandboxWords } from './words.ts'

interface SandboxProps {
  company: Company
  onChanged: () => void
}

/** For owners: their company's sandbox, or the way to one. */
export function Sandbox({ company, onChanged }: SandboxProps) {
  const t = useSandboxWords()
  const { may } = useStanding()
  const [made, setMade] = useState<CreatedSandbox>()
  if (company.sandbox || !may('createSandbox')) return null
  const make = async () =>
    setMade((await call('POST /companies/{company}/sandbox', { params: { company: company.id } })).data)
  return (
    <Card title={t.title}>
      <div class="stack">
        <p class="quiet">{t.lead}</p>
        {company.sandbox_id === null ? (
          <div>
            <ActButton act={make}>{t.make}</ActButton>
          </div>
        ) : (
          <Open company={company} onChanged={onChanged} />
        )}
      </div>
      {made && (
        <Made
          sandbox={made}
          onClose={() => {
            setMade(undefined)
            onChanged()
          }}
        />
      )}
    </Card>
  )
}

/** Entering replaces the session, so the console begins again. */
function Open({ company: { id }, onChanged }: SandboxProps) {
  const t = useSandboxWords()
  const { may } = useStanding()
  const [closing, setClosing] = useState(false)
  const done = () => {
    say(t.wasClosed)
    onChanged()
  }
  return (
    <>
      <p class="quiet">{may('enterSandbox') && t.enterHint}</p>
      <div class="row">
        {may('enterSandbox') && (
          <ActButton
            act={() => call('POST /companies/{company}/sandbox/enter', { params: { company: id } })}
            onDone={beginAgain}
          >
            {t.enter}
          </ActButton>
        )}
        <Button danger onClick={() => setClosing(true)}>
          {t.close}
        </Button>
      </div>
      {closing && (
        <Confirm
          title={t.close}
          verb={t.close}
          act={() => call('DELETE /companies/{company}/sandbox', { params: { company: id } })}
          onClose={() => setClosing(false)}
          onDone={done}
        >
          {t.closeLead}
        </Confirm>
      )}
    </>
  )
}

function Made({ sandbox, onClose }: { sandbox: CreatedSandbox; onClose: () => void }) {
  const t = useSandboxWords()
  const common = useCommonWords()
  return (
    <Dialog title={t.made} stays onClose={onClose}>
      <div class="stack">
        <p>{t.madeLead}</p>
        <p>{t.token}</p>
        <ShownOnce value={sandbox.owner_token} label={t.token} isKept />
        <p>{t.key}</p>
        <ShownOnce value={sandbox.key} label={t.key} isKept />
        <div>
          <Button onClick={onClose}>{common.close}</Button>
        </div>
      </div>
    </Dialog>
  )
}
