import type { ClientRequest } from 'node:http'
import { ofFields, type Said } from '../domain/sentences/sentences.ts'

/** Why a request did not get its answer. */
export type Reason =
  | 'url'
  | 'private_address'
  | 'dns'
  | 'time_out'
  | 'tls'
  | 'connection_refused'
  | 'connection_closed'
  | 'unreachable'
  | 'not_http'
  | 'other_protocol'
  | 'answer_too_large'

/** The problem continues a sentence that begins with the name of the field that held the URL, and contains no secret. */
export class GuardedRequestError extends Error {
  constructor(
    readonly reason: Reason,
    readonly problem: Said,
  ) {
    super(ofFields([['url', problem]]).en)
  }
}

/** How far a request had come when it failed. */
type Progress = 'resolving' | 'connecting' | 'securing' | 'asking'

/** Follows a request: an error between the connection and its encryption is one of the encryption. */
export function progressOf(request: ClientRequest): () => Progress {
  let progress: Progress = 'connecting'
  request.on('socket', socket => {
    const isEncrypted = 'encrypted' in socket
    socket.once('connect', () => {
      progress = isEncrypted ? 'securing' : 'asking'
    })
    socket.once('secureConnect', () => {
      progress = 'asking'
    })
  })
  return () => progress
}

const BY_CODE: Record<string, Reason> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_closed',
  ECONNABORTED: 'connection_closed',
  EPIPE: 'connection_closed',
  ERR_STREAM_PREMATURE_CLOSE: 'connection_closed',
  ETIMEDOUT: 'time_out',
}

export function reasonOf({ code = '' }: NodeJS.ErrnoException, progress: Progress): Reason {
  if (progress === 'resolving') return 'dns'
  if (progress === 'securing') return 'tls'
  // Node's parser names what it could not read HPE_….
  if (code.startsWith('HPE_')) return 'not_http'
  return BY_CODE[code] ?? (progress === 'connecting' ? 'unreachable' : 'connection_closed')
}
