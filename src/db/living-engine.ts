import { setTimeout as sleep } from 'node:timers/promises'
import { type Engine, type EngineDied, startEngine } from './engine.ts'
import { EngineSession } from './engine-session.ts'

const OPEN_AGAIN_AFTER_MS = 100
/** Long enough that a disk that stays full costs little, short enough that one that was freed is noticed soon. */
const OPEN_AGAIN_EVERY_MS = 1_500

export interface EngineEvents {
  onError: (error: Error) => void
  onReopened: () => void
}

export interface LivingEngine {
  /** A session for one client. While the engine is dead its statements fail at once. */
  newSession(): EngineSession
  flushes(): number
  close(): Promise<void>
}

/**
 * Keeps an engine on a folder alive. One that dies (a disk too full for the next piece of its log ends it) is left as it
 * is, and another is opened on the folder: it finds what was committed in the log, as after a power cut.
 */
export async function keepEngine(folder: string, { onError, onReopened }: EngineEvents): Promise<LivingEngine> {
  const closing = new AbortController()
  let engine: Engine = await startEngine(folder, died)
  let lastSession = Promise.resolve()
  let reopening = Promise.resolve()

  function died(death: EngineDied): void {
    onError(death)
    reopening = reopen()
  }

  async function reopen(): Promise<void> {
    let reported = ''
    for (let pause = OPEN_AGAIN_AFTER_MS; ; pause = OPEN_AGAIN_EVERY_MS) {
      await sleep(pause, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      if (closing.signal.aborted) return
      try {
        engine = await startEngine(folder, died)
        return onReopened()
      } catch (error) {
        const { message } = error as Error
        if (message !== reported) onError(error as Error)
        reported = message
      }
    }
  }

  return {
    newSession() {
      const session = new EngineSession(engine, lastSession)
      lastSession = session.ended
      return session
    },
    flushes: () => engine.flushes(),
    async close() {
      closing.abort()
      await reopening
      if (!engine.death()) await engine.close()
    },
  }
}
