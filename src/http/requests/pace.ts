import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { askKernel, type Unacknowledged } from './unacknowledged.ts'

/** Whoever owes bytes, or is owed some, moves this many at least within `WITHIN_MS`. */
export const LEAST_BYTES = 1024
const WITHIN_MS = 10_500
/** Of somebody who takes nothing, the kernel is asked after this time, and before they are cut off. */
const ASKED_AFTER_MS = 5_000
/** What it must have got rid of meanwhile: more than the client's own kernel takes when nobody reads there. */
const LEAST_TAKEN_BYTES = 96 * 1024
const LOOK_EVERY_MS = 500
/** A process that was busy has not looked, whatever came meanwhile: no more than this counts between two looks. */
const MOST_BETWEEN_MS = 3_000

/** What waits to be handed to the kernel is known to the handle alone; `Socket.setTimeout` looks there as well. */
type Handle = { bytesWritten: number; writeQueueSize: number }

/** A connection, what it was doing when it last kept the pace, and how long ago that was. */
interface Watched {
  socket: Socket
  request: IncomingMessage | undefined
  due: 'body' | 'answer' | undefined
  movedBytes: number
  slowForMs: number
  /** What the kernel held for it when it was asked. */
  heldBytes: number | undefined
}

/**
 * Cuts off clients that send the rest of a body, or take the rest of an answer, more slowly than anyone would who still wants
 * it: each holds a connection, and some hold memory. Nothing is expected of a connection on which neither is due, such as an
 * idle one, one whose call is being worked on, or a stream without news; nor of a body that waits until there is room for it.
 */
export function keepPace(server: Server): void {
  const connections = new Map<Socket, Watched>()
  server.on('connection', (socket: Socket) => {
    const nothing = { request: undefined, due: undefined, movedBytes: 0, slowForMs: 0, heldBytes: undefined }
    connections.set(socket, { socket, ...nothing })
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', (request: IncomingMessage) => {
    const watched = connections.get(request.socket)
    if (watched) watched.request = request
  })
  let lookedAt = performance.now()
  let isAsking = false
  const timer = setInterval(async () => {
    const sinceMs = Math.min(performance.now() - lookedAt, MOST_BETWEEN_MS)
    lookedAt = performance.now()
    const suspects: Watched[] = []
    for (const watched of connections.values()) {
      look(watched, sinceMs)
      if (watched.slowForMs > WITHIN_MS && watched.due === 'body') cutOff(watched)
      else if (isSuspect(watched)) suspects.push(watched)
    }
    if (suspects.length === 0 || isAsking) return
    isAsking = true
    const unacknowledged = await askKernel()
    isAsking = false
    for (const watched of suspects) judge(watched, unacknowledged)
  }, LOOK_EVERY_MS)
  timer.unref()
  server.on('close', () => clearInterval(timer))
}

function look(watched: Watched, sinceMs: number): void {
  const { due, movedBytes } = whatIsDue(watched)
  if (due !== undefined && due === watched.due && movedBytes - watched.movedBytes < LEAST_BYTES)
    watched.slowForMs += sinceMs
  else Object.assign(watched, { due, movedBytes, slowForMs: 0, heldBytes: undefined })
}

function whatIsDue({ socket, request }: Watched): Pick<Watched, 'due' | 'movedBytes'> {
  const { _handle: handle } = socket as Socket & { _handle?: Handle | null }
  if (handle && handle.writeQueueSize > 0)
    return { due: 'answer', movedBytes: handle.bytesWritten - handle.writeQueueSize }
  const isBodyDue = request !== undefined && !request.complete && request.readableFlowing === true
  return { due: isBodyDue ? 'body' : undefined, movedBytes: socket.bytesRead }
}

function isSuspect({ due, slowForMs, heldBytes }: Watched): boolean {
  return due === 'answer' && slowForMs > (heldBytes === undefined ? ASKED_AFTER_MS : WITHIN_MS)
}

/** Nothing more was handed to the kernel, but what it holds may have become less. */
function judge(watched: Watched, unacknowledged: Unacknowledged): void {
  const { socket, slowForMs, heldBytes } = watched
  if (slowForMs === 0) return
  const nowHeld = unacknowledged(socket)
  if (heldBytes === undefined) watched.heldBytes = nowHeld
  else if (heldBytes - nowHeld >= LEAST_TAKEN_BYTES) Object.assign(watched, { slowForMs: 0, heldBytes: undefined })
  else cutOff(watched)
}

/** Without a reset the kernel would keep what the client does not take for minutes. */
function cutOff({ socket }: Watched): void {
  socket.resetAndDestroy()
}
