import { useState } from 'preact/hooks'
import { useStanding } from '../../frame/standing.ts'
import { SelectField, TextField } from '../../parts/form.tsx'
import { clockIn } from '../../parts/local-clock.ts'
import { useKeysWords } from './words.ts'

const DAYS = { days30: 30, days90: 90, days365: 365 } as const
type Choice = 'never' | keyof typeof DAYS | 'on'

interface ExpiryFieldProps {
  label?: string
  /** The clock time in the company's zone; empty for never. */
  value: string
  onChange: (value: string) => void
  problem: string | undefined
}

/** When a key expires: never, after a while, or at a time in the company's zone. */
export function ExpiryField({ label, value, onChange, problem }: ExpiryFieldProps) {
  const t = useKeysWords()
  const { zone } = useStanding()
  const [choice, setChoice] = useState<Choice>(value ? 'on' : 'never')
  const choose = (next: Choice) => {
    setChoice(next)
    if (next === 'never') onChange('')
    else onChange(clockIn(zone, new Date(Date.now() + (next === 'on' ? 30 : DAYS[next]) * 86_400_000)))
  }
  const options = (['never', 'days30', 'days90', 'days365', 'on'] as const).map(one => [one, t.expiries[one]] as const)
  return (
    <div class="side-by-side">
      <SelectField
        label={label ?? t.expires}
        value={choice}
        onChange={choose}
        options={options}
        problem={choice === 'on' ? undefined : problem}
      />
      {choice === 'on' && (
        <TextField
          label={t.expiresOn}
          hint={t.inZone(zone)}
          type="datetime-local"
          value={value}
          onChange={onChange}
          problem={problem}
        />
      )}
    </div>
  )
}
