import type { FastifyRequest } from 'fastify'
import type { CellProof } from '../../domain/cells/proof.ts'

/** In which a cell says what it has seen of a call that it passes on, signed together with the method and the path. */
export const PASSED_ON = 'x-diwan-passed-on'
/** The clocks of two machines may differ. */
const SIGNED_FOR_MS = 300_000

/** A call belongs to the cell that gets it, or is asked of every cell, each of which answers for itself. */
export type Why = 'yours' | 'all'

/** When and why it was passed on, and the address, the protocol and the host of the caller. */
type Seen = [at: number, why: Why, ip: string, protocol: string, host: string]

const signedText = (method: string, { raw }: FastifyRequest, said: string) => `${method} ${raw.url} ${said}`

/** What the cell that receives a call from outside knows of it, as headers for another cell, to which it is sent with this method. */
export function headersOfPassedOn(
  proof: CellProof,
  why: Why,
  method: string,
  request: FastifyRequest,
): Record<string, string> {
  const { id, ip, protocol, host } = request
  const seen: Seen = [Date.now(), why, ip, protocol, host]
  const said = Buffer.from(JSON.stringify(seen)).toString('base64url')
  return {
    'x-forwarded-for': ip,
    'x-forwarded-proto': protocol,
    'x-forwarded-host': host,
    'x-request-id': id,
    [PASSED_ON]: `${said}.${proof.sign(signedText(method, request, said))}`,
  }
}

/**
 * Recognises a call that another cell has passed on. It is the caller's and not that cell's: whatever looks at its address sees
 * the caller's, whichever proxies are trusted.
 */
export function readPassedOn(proof: CellProof, request: FastifyRequest): void {
  const { [PASSED_ON]: sent } = request.headers
  if (typeof sent !== 'string') return
  const [said = '', signature = ''] = sent.split('.')
  if (!proof.isSigned(signedText(request.method, request, said), signature)) return
  const [at, why, ip, protocol, host] = JSON.parse(Buffer.from(said, 'base64url').toString()) as Seen
  if (Math.abs(Date.now() - at) > SIGNED_FOR_MS) return
  request.isPassedOn = true
  request.isAskedOfAll = why === 'all'
  // Fastify computes these from the connection, on its prototype.
  Object.defineProperties(request, { ip: { value: ip }, protocol: { value: protocol }, host: { value: host } })
}
