import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { CreatedKey, Key } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { go } from '../../frame/address.ts'
import { useCompany } from '../../frame/standing.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form, SelectField } from '../../parts/form.tsx'
import { MintedKey } from './minted-key.tsx'
import { useKeysWords } from './words.ts'

const OVERLAPS_HOURS = [0, 1, 24, 72, 168]

/** A new key besides the old one, which expires by itself. */
export function RotateKey({ of: key, onClose }: { of: Key; onClose: () => void }) {
  const t = useKeysWords()
  const { id } = useCompany()
  const [hours, setHours] = useState('24')
  const [minted, setMinted] = useState<CreatedKey>()
  const rotate = useAction(async () => {
    const { data } = await call('POST /companies/{company}/keys/{key}/rotate', {
      params: { company: id, key: key.id },
      body: { overlap_hours: Number(hours) },
    })
    setMinted(data)
  })
  const said = (n: number) => (n === 0 ? t.notAtAll : n % 24 === 0 ? t.days(n / 24) : t.hours(n))
  if (minted)
    return (
      <Dialog title={t.rotated} onClose={onClose} stays>
        <div class="stack">
          <p>{t.createdLead}</p>
          <MintedKey of={minted} onDone={() => go(`/companies/${id}/keys/${minted.id}`)} />
        </div>
      </Dialog>
    )
  return (
    <Dialog title={t.rotateTitle} onClose={onClose}>
      <Form action={rotate} submit={t.rotate} onCancel={onClose}>
        <p>{t.rotateLead}</p>
        <SelectField
          label={t.overlap}
          value={hours}
          onChange={setHours}
          options={OVERLAPS_HOURS.map(n => [String(n), said(n)] as const)}
        />
      </Form>
    </Dialog>
  )
}
