import type { Key } from '../../api/types.ts'
import { Badge, type Tone } from '../../parts/text.tsx'
import { useKeysWords } from './words.ts'

type KeyState = 'live' | 'ending' | 'expired' | 'revoked'

const SOON_MS = 14 * 86_400_000

export function stateOf({ revoked_at, expires_at }: Pick<Key, 'revoked_at' | 'expires_at'>): KeyState {
  if (revoked_at) return 'revoked'
  const left = expires_at ? Date.parse(expires_at) - Date.now() : Number.POSITIVE_INFINITY
  return left <= 0 ? 'expired' : left < SOON_MS ? 'ending' : 'live'
}

const TONES: Record<KeyState, Tone> = { live: 'good', ending: 'warn', expired: 'plain', revoked: 'bad' }

export function KeyStateBadge({ of }: { of: Key }) {
  const t = useKeysWords()
  const state = stateOf(of)
  return <Badge tone={TONES[state]}>{t.states[state]}</Badge>
}
