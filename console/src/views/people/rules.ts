import type { User } from '../../api/types.ts'
import { useStanding } from '../../frame/standing.ts'

/** Owners and the operator decide about roles, and about owners. */
export function useMayPromote(): boolean {
  const { me } = useStanding()
  return me.kind === 'operator' || me.user?.role === 'owner'
}

/** Whether the server lets the reader change this person. */
export function useMayChange(): (user: User) => boolean {
  const { may } = useStanding()
  const promotes = useMayPromote()
  return ({ role }) => may('updateUser') && (promotes || role !== 'owner')
}

/** Whether the server lets the reader invite this person again, which ends the tokens that they have. */
export function useMayInvite(): (user: User) => boolean {
  const { me, may } = useStanding()
  const promotes = useMayPromote()
  return ({ id, role, active, can_manage_api_keys, first_token_at }) => {
    const isNew = first_token_at === null
    if (!may('inviteUser') || !active) return false
    if (me.kind === 'operator') return true
    if (!promotes) return role === 'member' && !can_manage_api_keys && isNew
    return role !== 'owner' || id === me.user?.id || isNew
  }
}
