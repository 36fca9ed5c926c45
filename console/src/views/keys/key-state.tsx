import type { Key, KeyState } from '../../api/types.ts'
import { Badge, type Tone } from '../../parts/text.tsx'
import { useKeysWords } from './words.ts'

/** Shown besides: that a key will soon stop working. */
type ShownState = KeyState | 'ending'

const SOON_MS = 14 * 86_400_000

export function stateOf({ revoked_at, expires_at }: Pick<Key, 'revoked_at' | 'expires_at'>): ShownState {
  if (revoked_at) return 'revoked'
  const left = expires_at ? Date.parse(expires_at) - Date.now() : Number.POSITIVE_INFINITY
  return left <= 0 ? 'expired' : left < SOON_MS ? 'ending' : 'live'
}

const TONES: Record<ShownState, Tone> = { live: 'good', ending: 'warn', expired: 'plain', revoked: 'bad' }

export function KeyStateBadge({ of }: { of: Key }) {
  const t = useKeysWords()
  const state = stateOf(of)
  return <Badge tone={TONES[state]}>{t.states[state]}</Badge>
}
