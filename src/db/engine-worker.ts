import { once } from 'node:events'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { compileEngine, type Engine, startEngine } from './engine.ts'

// The thread of the embedded engine. It is asked one thing after the other, and answers each in this order.

/** The messages of a statement, in one piece; how often the kernel was asked to flush; or to end. */
export type Question = Uint8Array | 'flushes' | 'close'

/** What the engine answers to a statement; a count; or why the engine is no more. The first says that it is open. */
export type Answer = Uint8Array | number | { death: string } | 'open'

const port = parentPort as MessagePort

compileEngine().catch(() => {})
const [folder] = (await once(port, 'message')) as [string]
const engine = await startEngine(folder, die).catch(error => die(error.message))
const { flushes } = engine
port.on('message', (question: Question) => {
  if (question === 'close') return close(engine)
  give(question === 'flushes' ? question : run(question))
})
port.postMessage('open')

type Given = Uint8Array | 'flushes'

/** What the engine has said while its log was on the way to the disk. */
let held: Given[] = []
let isFlushing = false

/** Nobody hears of a commit, nor of anything that was read after it, before its log is on the disk. */
function give(answer: Given): void {
  held.push(answer)
  if (isFlushing) return
  if (flushes.isOwed()) flush().catch(error => die(`the log was not flushed: ${error.message}`))
  else tellHeld(held.splice(0))
}

async function flush(): Promise<void> {
  isFlushing = true
  while (flushes.isOwed()) {
    const ready = held.splice(0)
    await flushes.pay()
    tellHeld(ready)
  }
  isFlushing = false
  tellHeld(held.splice(0))
}

function tellHeld(answers: Given[]): void {
  for (const answer of answers) {
    if (answer === 'flushes') port.postMessage(flushes.count())
    else port.postMessage(answer, [answer.buffer as ArrayBuffer])
  }
}

function run(piece: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  // The bytes stand in the memory of the engine, which overwrites them.
  const onRawData = (bytes: Uint8Array) => parts.push(bytes.slice())
  // Before this returns, all of it has happened.
  engine.pglite.execProtocolRawStream(piece, { onRawData, syncToFs: false }).catch(error => die(error.message))
  return parts.length === 1 ? (parts[0] as Uint8Array) : joined(parts)
}

function joined(parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

async function close(engine: Engine): Promise<never> {
  await engine.close()
  return process.exit()
}

/** Ends the thread where it stands, and its files are closed. */
function die(reason: string): never {
  port.postMessage({ death: reason })
  return process.exit(1)
}
