import { EventEmitter } from 'node:events'
import type { EngineThread } from './engine-thread.ts'

/** The answer to a startup message: AuthenticationOk and ReadyForQuery. */
const WELCOME = Buffer.from([...[0x52, 0, 0, 0, 8, 0, 0, 0, 0], ...[0x5a, 0, 0, 0, 5, 0x49]])
const STARTUP = 0
const TERMINATE = 0x58
/** What `pg` reads of an answer at once: a long one must not keep everybody else waiting. */
const READ_AT_ONCE_BYTES = 256 * 1024

/**
 * Stands in for the socket of a `pg` client: bytes go to the engine, and its answers come back. The engine has one session,
 * which outlives its clients: a new client gets it reset, and only after the engine has done everything that the previous
 * client had asked for.
 *
 * All that is sent in one turn of the event loop goes to the engine in one message: a round trip to another thread costs as
 * much as a small statement.
 */
export class EngineSession extends EventEmitter {
  readonly #engine: EngineThread
  #isOpen = true
  #unsent: Buffer[] = []
  #unread: Buffer[] = []

  constructor(engine: EngineThread) {
    super()
    this.#engine = engine
  }

  get writable(): boolean {
    return this.#isOpen
  }

  async connect(): Promise<void> {
    try {
      // Outside of a transaction this only raises a warning.
      await this.#engine.run(query('rollback'), ignore)
      await this.#engine.run(query('discard all'), ignore)
      if (this.#isOpen) this.emit('connect')
    } catch (error) {
      this.#fail(error)
    }
  }

  write(bytes: Buffer, written?: () => void): void {
    if (bytes[0] === STARTUP) this.emit('data', WELCOME)
    else if (bytes[0] === TERMINATE) written?.()
    else this.#send(bytes)
  }

  #send(bytes: Buffer): void {
    if (this.#unsent.length === 0) setImmediate(() => this.#ask())
    this.#unsent.push(bytes)
  }

  #ask(): void {
    if (!this.#isOpen) return
    const statements = inOnePiece(this.#unsent)
    this.#unsent = []
    const onAnswer = ({ buffer }: Uint8Array) => this.#receive(Buffer.from(buffer))
    this.#engine.run(statements, onAnswer).catch(error => this.#fail(error))
  }

  #receive(answer: Buffer): void {
    const isReading = this.#unread.length > 0
    for (let from = 0; from < answer.length; from += READ_AT_ONCE_BYTES)
      this.#unread.push(answer.subarray(from, from + READ_AT_ONCE_BYTES))
    if (!isReading) this.#read()
  }

  #read(): void {
    if (this.#isOpen) this.emit('data', this.#unread[0])
    this.#unread.shift()
    if (this.#unread.length > 0) setImmediate(() => this.#read())
  }

  /** A client that has disconnected is not told of failures. */
  #fail(error: unknown): void {
    if (this.#isOpen) this.emit('error', error)
  }

  end(): void {
    this.destroy()
  }

  /** The client only gets the `close` event, which fails everything that it still waits for. */
  destroy(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    queueMicrotask(() => this.emit('close'))
  }

  // Methods of a socket that pg calls.
  cork(): void {}
  uncork(): void {}
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}
}

function ignore(): void {}

/** Joins the messages in a buffer of their own, which can be transferred to the engine's thread without copying. */
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
