import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { CreatedKey, Key } from '../../api/types.ts'
import { useAction } from '../../api/use-action.ts'
import { useCompany, useStanding } from '../../frame/standing.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form, SelectField } from '../../parts/form.tsx'
import { clockIn } from '../../parts/local-clock.ts'
import { Time } from '../../parts/time.tsx'
import { ExpiryField } from './expiry-field.tsx'
import { MintedKey } from './minted-key.tsx'
import { useKeysWords } from './words.ts'

const OVERLAPS_HOURS = [0, 1, 24, 72, 168]
const HOUR_MS = 3_600_000

/** A new key besides the old one, which ends by itself. */
export function RotateKey({ of: key, onClose }: { of: Key; onClose: () => void }) {
  const t = useKeysWords()
  const { id } = useCompany()
  const { zone } = useStanding()
  const [hours, setHours] = useState('24')
  const [expires, setExpires] = useState(() => sameLifetime(key, zone))
  const [minted, setMinted] = useState<CreatedKey>()
  const [oldEnds, setOldEnds] = useState(() => endOf(key, 24))
  const choose = (chosen: string) => {
    setHours(chosen)
    setOldEnds(endOf(key, Number(chosen)))
  }
  const rotate = useAction(async () => {
    const { data } = await call('POST /companies/{company}/keys/{key}/rotate', {
      params: { company: id, key: key.id },
      body: { overlap_hours: Number(hours), expires_at: expires || null },
    })
    setMinted(data)
  })
  const said = (n: number) => (n === 0 ? t.notAtAll : n % 24 === 0 ? t.days(n / 24) : t.hours(n))
  const whenOldEnds = (
    <>
      {t.oldEnds}: <Time at={oldEnds} />
    </>
  )
  if (minted)
    return (
      <Dialog title={t.rotated} onClose={onClose} stays>
        <div class="stack">
          <p>{t.createdLead}</p>
          <p>{whenOldEnds}</p>
          <MintedKey of={minted} />
        </div>
      </Dialog>
    )
  return (
    <Dialog title={t.rotateTitle} onClose={onClose}>
      <Form action={rotate} submit={t.rotate} onCancel={onClose}>
        <p>{t.rotateLead}</p>
        <ExpiryField label={t.newExpires} value={expires} onChange={setExpires} problem={rotate.about('expires_at')} />
        <SelectField
          label={t.overlap}
          hint={whenOldEnds}
          value={hours}
          onChange={choose}
          options={OVERLAPS_HOURS.map(n => [String(n), said(n)] as const)}
        />
      </Form>
    </Dialog>
  )
}

/** The new key is to last as long as the old one was meant to; empty for a key that never expires. */
function sameLifetime({ created_at, expires_at }: Key, zone: string): string {
  if (!expires_at) return ''
  return clockIn(zone, new Date(Date.now() + Date.parse(expires_at) - Date.parse(created_at)))
}

/** After the overlap, or at its own end if that is sooner. */
function endOf({ expires_at }: Key, overlapHours: number): string {
  const overlapEnds = Date.now() + overlapHours * HOUR_MS
  return new Date(expires_at ? Math.min(overlapEnds, Date.parse(expires_at)) : overlapEnds).toISOString()
}
