import { PglitePgConnection } from '@electric-sql/pglite/node-postgres'
import type { Engine } from './engine.ts'

/**
 * What a `pg` client takes for its connection. The engine has one session, which outlives its clients: a new client finds
 * it clean, and only when the engine has done all that the client before it had asked for.
 */
export class EngineSession extends PglitePgConnection {
  readonly #engine: Engine
  readonly #previousEnded: Promise<void>
  readonly #markEnded: () => void
  readonly ended: Promise<void>

  constructor(engine: Engine, previousEnded: Promise<void>) {
    super({ pglite: engine.pglite })
    this.#engine = engine
    this.#previousEnded = previousEnded
    let markEnded = () => {}
    this.ended = new Promise(resolve => {
      markEnded = resolve
    })
    this.#markEnded = markEnded
  }

  override async connect(port: number, host: string): Promise<void> {
    try {
      await this.#previousEnded
      await this.#clean()
      await super.connect(port, host)
    } catch (error) {
      this.#markEnded()
      this.emit('error', error)
    }
  }

  async #clean(): Promise<void> {
    const { pglite, death } = this.#engine
    const died = death()
    if (died) throw died
    if (pglite.isInTransaction()) await pglite.exec('rollback')
    await pglite.exec('discard all')
  }

  /** Its client hears nothing more but the end, which fails what it still waits for. */
  override end(): void {
    const listeners = this.listeners('end')
    super.end()
    for (const listener of [...listeners, this.#markEnded]) this.once('end', listener as () => void)
  }

  /** A client that has left hears of no failure; without a listener the event would end the process. */
  override emit(name: string, ...values: unknown[]): boolean {
    if (name === 'error' && this.listenerCount('error') === 0) return false
    return super.emit(name, ...values)
  }
}
