import { once } from 'node:events'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { compileEngine, type Engine, startEngine } from './engine.ts'

// The thread of the embedded engine. It handles one message after the other, and answers them in the same order.

/** The messages of some statements, or a request to end. */
export type Question = Uint8Array | 'close'

interface Part {
  bytes: Uint8Array
  isLast: boolean
}

/**
 * A part of the answer to statements, with how often the kernel was asked to flush until then; or why the engine died. The first
 * message says that the database is open.
 */
export type Answer = (Part & { flushes: number }) | { death: string } | 'open'

/** How long answers are gathered before they are posted: each message wakes the other thread. */
const GATHER_MS = 0.3

const port = parentPort as MessagePort

compileEngine().catch(() => {})
const [folder] = (await once(port, 'message')) as [string]
const engine = await startEngine(folder, die).catch(error => die(error.message))
const { flushes } = engine
port.on('message', (question: Question) => {
  if (question === 'close') close(engine)
  else runAll(question)
})
port.postMessage('open')

/** There may be many statements in one message: the other thread gets the first answers while the rest are running. */
function runAll(statements: Uint8Array): void {
  let since = performance.now()
  for (let start = 0, end = 0; end < statements.length; start = end) {
    end = endOfStatement(statements, start)
    run(statements.subarray(start, end))
    const now = performance.now()
    const isLast = end === statements.length
    if (!isLast && now - since < GATHER_MS) continue
    since = now
    give({ bytes: said.slice(0, length), isLast })
    length = 0
  }
}

const SYNC = 0x53
const QUERY = 0x51

/** A message is a letter, its length without the letter, and its body. Sync and Query end a statement. */
function endOfStatement(messages: Uint8Array, start: number): number {
  const view = new DataView(messages.buffer, messages.byteOffset)
  for (let at = start; at < messages.length; ) {
    const letter = messages[at]
    at += 1 + view.getUint32(at + 1)
    if (letter === SYNC || letter === QUERY) return at
  }
  return messages.length
}

/** What the engine has answered and was not passed on yet. */
let said = new Uint8Array(64 * 1024)
let length = 0

/** Copies the bytes: they are in the memory of the engine, which overwrites them. */
function onRawData(bytes: Uint8Array): void {
  if (length + bytes.length > said.length) {
    const longer = new Uint8Array(2 * (length + bytes.length))
    longer.set(said)
    said = longer
  }
  said.set(bytes, length)
  length += bytes.length
}

function run(statement: Uint8Array): void {
  // The statement is run synchronously: it is done when this call returns.
  engine.pglite.execProtocolRawStream(statement, { onRawData, syncToFs: false }).catch(error => die(error.message))
}

/** Answers that wait until the log is on the disk. */
let held: Part[] = []
let isFlushing = false

/** Neither a commit nor anything read after it is reported before its log is on the disk. */
function give(answer: Part): void {
  held.push(answer)
  if (isFlushing) return
  if (flushes.isOwed()) flush().catch(error => die(`the log was not flushed: ${error.message}`))
  else tellHeld()
}

async function flush(): Promise<void> {
  isFlushing = true
  while (flushes.isOwed()) {
    const ready = held
    held = []
    await flushes.pay()
    tell(ready)
  }
  isFlushing = false
  tellHeld()
}

function tellHeld(): void {
  tell(held)
  held = []
}

function tell(answers: Part[]): void {
  for (const { bytes, isLast } of answers)
    port.postMessage({ bytes, isLast, flushes: flushes.count() } satisfies Answer, [bytes.buffer as ArrayBuffer])
}

async function close(engine: Engine): Promise<never> {
  await engine.close()
  return process.exit()
}

/** Ends the thread at once; its files are closed. */
function die(reason: string): never {
  port.postMessage({ death: reason })
  return process.exit(1)
}
