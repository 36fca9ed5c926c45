import { EventEmitter } from 'node:events'
import type { Engine } from './engine.ts'

/** To whoever knocks: welcome, and ask. */
const WELCOME = Buffer.from([...[0x52, 0, 0, 0, 8, 0, 0, 0, 0], ...[0x5a, 0, 0, 0, 5, 0x49]])
const STARTUP = 0
const TERMINATE = 0x58

/**
 * What a `pg` client takes for its socket: bytes go to the engine, and its answers come back. The engine has one session,
 * which outlives its clients: a new client finds it clean, and only when the engine has done all that the client before it
 * had asked for.
 *
 * The messages of a statement go to the engine in one piece. The connection that comes with the engine brings each by itself
 * and reads the answers slowly: together that took as long as a small statement.
 */
export class EngineSession extends EventEmitter {
  readonly ended: Promise<void>
  readonly #engine: Engine
  readonly #markEnded: () => void
  #isOpen = true
  #held: Buffer[] | undefined
  /** Ends when all is done that was asked for. */
  #work: Promise<void>

  constructor(engine: Engine, previousEnded: Promise<void>) {
    super()
    this.#engine = engine
    this.#work = previousEnded
    let markEnded = () => {}
    this.ended = new Promise(resolve => {
      markEnded = resolve
    })
    this.#markEnded = markEnded
  }

  get writable(): boolean {
    return this.#isOpen
  }

  async connect(): Promise<void> {
    try {
      await this.#work
      await this.#clean()
      if (this.#isOpen) this.emit('connect')
    } catch (error) {
      this.#markEnded()
      this.#fail(error)
    }
  }

  async #clean(): Promise<void> {
    const { pglite, death } = this.#engine
    const died = death()
    if (died) throw died
    if (pglite.isInTransaction()) await pglite.exec('rollback')
    await pglite.exec('discard all')
  }

  write(bytes: Buffer, written?: () => void): void {
    if (bytes[0] === STARTUP) this.emit('data', WELCOME)
    else if (bytes[0] === TERMINATE) written?.()
    else if (this.#held) this.#held.push(bytes)
    else this.#send(bytes)
  }

  cork(): void {
    this.#held ??= []
  }

  uncork(): void {
    const held = this.#held ?? []
    this.#held = undefined
    if (held.length > 0) this.#send(Buffer.concat(held))
  }

  #send(piece: Buffer): void {
    this.#work = this.#work
      .then(() => this.#ask(piece))
      .then(
        answer => {
          if (this.#isOpen) this.emit('data', answer)
        },
        error => this.#fail(error),
      )
  }

  async #ask(piece: Buffer): Promise<Buffer> {
    const answer: Buffer[] = []
    // The bytes stand in the memory of the engine, which overwrites them.
    const onRawData = (bytes: Uint8Array) => answer.push(Buffer.from(bytes))
    await this.#engine.pglite.execProtocolRawStream(piece, { onRawData, syncToFs: false })
    return answer.length === 1 ? (answer[0] as Buffer) : Buffer.concat(answer)
  }

  /** A client that has left hears of no failure. */
  #fail(error: unknown): void {
    if (this.#isOpen) this.emit('error', error)
  }

  end(): void {
    this.destroy()
  }

  /** Its client hears nothing more but the end, which fails what it still waits for. */
  destroy(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#work = this.#work.then(() => {
      this.#markEnded()
      this.emit('close')
    })
  }

  // A socket can do these too, and pg asks for them.
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}
}
