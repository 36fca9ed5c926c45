import { EventEmitter } from 'node:events'
import type { EngineThread } from './engine-thread.ts'

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
  readonly #engine: EngineThread
  #isOpen = true
  #held: Buffer[] | undefined

  constructor(engine: EngineThread) {
    super()
    this.#engine = engine
  }

  get writable(): boolean {
    return this.#isOpen
  }

  async connect(): Promise<void> {
    try {
      // Where nothing was begun it only warns.
      await this.#engine.run(query('rollback'))
      await this.#engine.run(query('discard all'))
      if (this.#isOpen) this.emit('connect')
    } catch (error) {
      this.#fail(error)
    }
  }

  write(bytes: Buffer, written?: () => void): void {
    if (bytes[0] === STARTUP) this.emit('data', WELCOME)
    else if (bytes[0] === TERMINATE) written?.()
    else if (this.#held) this.#held.push(bytes)
    else this.#send([bytes])
  }

  cork(): void {
    this.#held ??= []
  }

  uncork(): void {
    const held = this.#held ?? []
    this.#held = undefined
    if (held.length > 0) this.#send(held)
  }

  #send(messages: Buffer[]): void {
    this.#engine.run(inOnePiece(messages)).then(
      ({ buffer }) => {
        if (this.#isOpen) this.emit('data', Buffer.from(buffer))
      },
      error => this.#fail(error),
    )
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
    queueMicrotask(() => this.emit('close'))
  }

  // A socket can do these too, and pg asks for them.
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}
}

/** In memory of its own, which goes to the thread of the engine as it is. */
function inOnePiece(messages: Buffer[]): Uint8Array {
  const piece = new Uint8Array(messages.reduce((length, message) => length + message.length, 0))
  let at = 0
  for (const message of messages) {
    piece.set(message, at)
    at += message.length
  }
  return piece
}

function query(text: string): Uint8Array {
  const message = Buffer.alloc(text.length + 6)
  message.write('Q')
  message.writeUInt32BE(text.length + 5, 1)
  message.write(text, 5)
  return inOnePiece([message])
}
