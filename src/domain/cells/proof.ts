import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** How the cells of an installation, which share its secret, prove to each other who they are. */
export interface CellProof {
  /** The credential with which a cell asks another. */
  bearer: string
  isBearer(sent: string): boolean
  /** For what a cell says of a call that it passes on. */
  sign(text: string): string
  isSigned(text: string, signature: string): boolean
}

export function createCellProof(serverSecret: string): CellProof {
  const derived = (purpose: string) => Buffer.from(hkdfSync('sha256', serverSecret, '', `diwan ${purpose} v1`, 32))
  const key = derived('calls passed on between cells')
  const bearer = derived('questions between cells').toString('base64url')
  const mac = (text: string) => createHmac('sha256', key).update(text).digest()
  // Digests have the same length, whatever was sent.
  const isSame = (one: string, other: string) => timingSafeEqual(mac(one), mac(other))
  const sign = (text: string) => mac(text).toString('base64url')
  return {
    bearer,
    isBearer: sent => isSame(sent, bearer),
    sign,
    isSigned: (text, signature) => isSame(signature, sign(text)),
  }
}
