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

export function mintCredential(prefix: CredentialPrefix, serverSecret: string): MintedCredential {
  const secret = base62(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), SECRET_CHARACTERS)
  const token = `${prefix}${secret}${checksum(prefix + secret)}`
  return { token, digest: digestOf(token, serverSecret), last_four: token.slice(-4) }
}

/** False for what cannot be a credential of this kind, so that a mistyped one is refused without a lookup. */
export function isWellFormed(prefix: CredentialPrefix, token: string): boolean {
  const body = token.slice(prefix.length)
  if (!token.startsWith(prefix) || !/^[0-9A-Za-z]{49}$/.test(body)) return false
  return checksum(prefix + body.slice(0, SECRET_CHARACTERS)) === body.slice(SECRET_CHARACTERS)
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
