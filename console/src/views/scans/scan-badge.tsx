import type { ScanState } from '../../api/types.ts'
import { Badge, type Tone } from '../../parts/text.tsx'
import { useScanWords } from './words.ts'

const TONES: Record<ScanState, Tone> = {
  pending: 'plain',
  clean: 'good',
  skipped: 'plain',
  infected: 'bad',
  failed: 'warn',
}

/** What the virus scan says about a file, in a word. */
export function ScanBadge({ of }: { of: ScanState }) {
  const { states } = useScanWords()
  return <Badge tone={TONES[of]}>{states[of]}</Badge>
}
