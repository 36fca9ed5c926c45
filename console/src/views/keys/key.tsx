import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { Key } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { go } from '../../frame/address.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import type { ViewProps } from '../../frame/view-props.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Name } from '../../parts/text.tsx'
import { say } from '../../parts/toast.tsx'
import { isolate } from '../../words/language.ts'
import { KeyFacts } from './key-facts.tsx'
import { stateOf } from './key-state.tsx'
import { KeyLately } from './lately.tsx'
import { RotateKey } from './rotate-key.tsx'
import { useKeysWords } from './words.ts'

/** One key: what it is, what may be done with it, what it did. */
export default function KeyView({ params }: ViewProps) {
  const t = useKeysWords()
  const { id } = useCompany()
  const { may } = useStanding()
  const key = useAnswer('GET /companies/{company}/keys/{key}', { params: { company: id, key: params.key as string } })
  const data = key.data?.data
  return (
    <Page
      title={data ? isolate(data.name) : t.key}
      heading={data && <Name>{data.name}</Name>}
      above={{ to: `/companies/${id}/keys`, label: t.title }}
      actions={data && <KeyActions of={data} reload={key.reload} />}
    >
      <Loaded of={key}>{({ data }) => <KeyFacts of={data} />}</Loaded>
      {data && may('getKeyUsage') && <KeyLately of={data} reload={key.reload} />}
    </Page>
  )
}

/** A revoked key stays as it is, and an expired one has nothing to hand over. */
function KeyActions({ of: key, reload }: { of: Key; reload: () => void }) {
  const t = useKeysWords()
  const { id } = useCompany()
  const { may } = useStanding()
  const [asked, setAsked] = useState<'rotate' | 'revoke'>()
  const state = stateOf(key)
  const close = () => setAsked(undefined)
  if (state === 'revoked') return null
  return (
    <>
      {may('updateKey') && <Button onClick={() => go(`/companies/${id}/keys/${key.id}/edit`)}>{t.edit}</Button>}
      {may('rotateKey') && state !== 'expired' && key.kind === 'key' && (
        <Button icon="replay" onClick={() => setAsked('rotate')}>
          {t.rotate}
        </Button>
      )}
      {may('revokeKey') && (
        <Button danger onClick={() => setAsked('revoke')}>
          {t.revoke}
        </Button>
      )}
      {asked === 'rotate' && <RotateKey of={key} onClose={close} />}
      {asked === 'revoke' && (
        <Confirm
          title={t.revokeTitle}
          verb={t.revoke}
          typed={key.name}
          act={() => call('DELETE /companies/{company}/keys/{key}', { params: { company: id, key: key.id } })}
          onClose={close}
          onDone={() => {
            say(t.revoked)
            reload()
          }}
        >
          <p>{t.revokeWhat}</p>
        </Confirm>
      )}
    </>
  )
}
