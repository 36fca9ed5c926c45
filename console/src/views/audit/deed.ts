import type { AuditEntry } from '../../api/types.ts'
import type { Deed, Verb } from '../../words/deeds.ts'

type Done = Pick<AuditEntry, 'operation' | 'method' | 'path' | 'target' | 'changes' | 'reason'>

/** What an entry of the audit tells of: the operation says what kind of call it was, and the fields say which one. */
export function deedOf({ operation, method, path, target, changes, reason }: Done): Deed {
  if (!target) return 'didSomething'
  const { type } = target
  const has = (field: string) => field in changes
  if (operation === 'members:write') return 'addedMember'
  if (operation === 'members:destructive') return 'removedMember'
  switch (type) {
    case 'session':
      if (has('created_at')) return 'signedIn'
      if (has('expires_at')) return 'displacedSession'
      return path.endsWith('/sessions/current') ? 'signedOut' : 'endedSession'
    case 'sign_in_link':
      return has('created_at') ? 'linkedAccount' : 'undidLink'
    case 'token':
      if (has('revoked_at') || operation === 'tokens:destructive') return 'revoked token'
      return operation === 'invitations:write' ? 'acceptedInvitation' : 'created token'
    case 'key':
      if (path.startsWith('/oauth/')) return 'endedApp'
      if (/\/app-requests\/[^/]+\/accept$/.test(path)) return 'connectedApp'
      if (operation === 'keys:destructive') return 'revoked key'
      if (path.endsWith('/rotate')) return has('name') ? 'created key' : 'rotated key'
      return has('created_by') && method === 'POST' ? 'created key' : 'updated key'
    case 'user':
      if (method === 'POST' && operation === 'users:write') return 'added user'
      return Object.keys(changes).join() === 'invitation' ? 'invited user' : 'updated user'
    case 'webhook':
      if (isBySelf(reason)) return reason.includes('410') ? 'switchedOffGone' : 'switchedOffFailing'
      if (has('secret') && method === 'POST' && path.endsWith('/rotate')) return 'rotatedSecret'
      if (has('deliveries')) return 'sentAgain'
      return `${made(method)} webhook`
    case 'calendar':
      if (has('credentials')) return 'changedCredentials'
      return has('deleted_at') ? 'disconnected calendar' : 'connected calendar'
    case 'company':
      if (isBySelf(reason)) return 'removedCompany'
      if (has('closed_at')) return operation === 'companies:destructive' ? 'closed company' : 'reopened company'
      return `${made(method)} company`
    default:
      if (operation === 'trash:write') return `restored ${type}`
      if (has('scan_state')) return 'askedForScan'
      return `${made(method)} ${type}`
  }
}

/** What Diwan did by itself has its reason; what somebody did was permitted, and says no more. */
function isBySelf(reason: string): boolean {
  return /Diwan|ديوان/.test(reason)
}

function made(method: string): Verb {
  if (method === 'POST') return 'created'
  return method === 'DELETE' ? 'deleted' : 'updated'
}
