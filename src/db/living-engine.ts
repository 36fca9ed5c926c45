import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { EngineSession } from './engine-session.ts'
import { type EngineDied, type EngineThread, openEngine } from './engine-thread.ts'

const LOOK_EVERY_MS = 250
/** An attempt is expensive: after failures they become rare. */
const LONGEST_PAUSE_MS = 30_000
const MORE_ROOM_BYTES = 1024 * 1024

export interface EngineEvents {
  onError: (error: Error) => void
  onReopened: () => void
}

export interface LivingEngine {
  /** A session for one client. While the engine is dead, its statements fail at once. */
  newSession(): EngineSession
  flushes(): number
  close(): Promise<void>
}

/**
 * Keeps an engine running on a folder. One that dies (for example on a disk too full for the next WAL segment) is abandoned,
 * and another is opened on the folder: it recovers what was committed from the log, as after a power cut.
 */
export async function keepEngineAlive(folder: string, { onError, onReopened }: EngineEvents): Promise<LivingEngine> {
  const closing = new AbortController()
  let engine: EngineThread = await openEngine(folder, died)
  let reopening = Promise.resolve()

  function died(death: EngineDied): void {
    onError(death)
    reopening = reopen()
  }

  async function reopen(): Promise<void> {
    let reported = ''
    let room = await freeBytes(folder)
    for (let pause = LOOK_EVERY_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      await roomOrPause(pause, room)
      // Measured before the attempt, which takes a while: space that is freed meanwhile justifies the next attempt.
      room = await freeBytes(folder)
      if (closing.signal.aborted) return
      try {
        engine = await openEngine(folder, died)
        return onReopened()
      } catch (error) {
        const { message } = error as Error
        if (message !== reported) onError(error as Error)
        reported = message
      }
    }
  }

  /** The usual cause of death is a full disk: an attempt is worthwhile as soon as there is more room than before. */
  async function roomOrPause(pause: number, before: number): Promise<void> {
    for (let waited = 0; waited < pause && !closing.signal.aborted; waited += LOOK_EVERY_MS) {
      await sleep(LOOK_EVERY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      if ((await freeBytes(folder)) > before + MORE_ROOM_BYTES) return
    }
  }

  return {
    newSession: () => new EngineSession(engine),
    flushes: () => engine.flushes(),
    async close() {
      closing.abort()
      await reopening
      await engine.close()
    },
  }
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
