import { createHmac, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_BYTES = 32
const SECRET_CHARACTERS = 43
const CHECKSUM_CHARACTERS = 6

/**
 * API keys, those of sandboxes, personal tokens, invitations, sessions, the link of the first start, what the identity provider
 * told, and the codes, access tokens and refresh tokens of apps: each has its own store and its own prefix. Base 62 has no
 * underscore, so none can be mistaken for another.
 */
export type CredentialPrefix =
  | 'svc_api_'
  | 'svc_api_test_'
  | 'svc_'
  | 'svc_inv_'
  | 'svc_ses_'
  | 'svc_link_'
  | 'svc_idp_'
  | 'svc_code_'
  | 'svc_app_'
  | 'svc_refresh_'

/** What keys begin with. Those of sandboxes differ, so that nobody takes one for a key to real data. */
export const KEY_PREFIXES = ['svc_api_', 'svc_api_test_'] as const

export interface MintedCredential {
  /** Shown once and never stored. */
  token: string
  digest: Buffer
  last_four: string
}

/** Makes the credentials of an installation. `companyId` is that of the company it belongs to, if it belongs to one. */
export type Mint = (prefix: CredentialPrefix, companyId?: number) => MintedCredential

/** In cells, a credential carries the number of its company, by which a proxy knows where to send its calls (decision 37). */
export function createMint(serverSecret: string, isCell: boolean): Mint {
  return (prefix, companyId) => mintCredential(prefix, serverSecret, isCell ? companyId : undefined)
}

export function mintCredential(prefix: CredentialPrefix, serverSecret: string, companyId?: number): MintedCredential {
  const secret = base62(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), SECRET_CHARACTERS)
  const signed = `${prefix}${companyId === undefined ? '' : `${companyId}_`}${secret}`
  const token = signed + checksum(signed)
  return { token, digest: digestOf(token, serverSecret), last_four: token.slice(-4) }
}

/** False for what cannot be a credential of this kind, so that a mistyped one is refused without a lookup. */
export function isWellFormed(prefix: CredentialPrefix, token: string): boolean {
  if (!token.startsWith(prefix) || !/^(?:[1-9]\d{0,14}_)?[0-9A-Za-z]{49}$/.test(token.slice(prefix.length)))
    return false
  return checksum(token.slice(0, -CHECKSUM_CHARACTERS)) === token.slice(-CHECKSUM_CHARACTERS)
}

/** The company that a well-formed credential names, if it names one. It says where to look, and nothing else: anybody can write it. */
export function companyNamedIn(token: string): number | undefined {
  const named = token.split('_').at(-2) ?? ''
  return /^\d+$/.test(named) ? Number(named) : undefined
}

export function digestOf(token: string, serverSecret: string): Buffer {
  return createHmac('sha256', serverSecret).update(token).digest()
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_CHARACTERS)
}

function base62(value: bigint, width: number): string {
  let text = ''
  for (let rest = value; text.length < width; rest /= 62n) text = BASE62[Number(rest % 62n)] + text
  return text
}
