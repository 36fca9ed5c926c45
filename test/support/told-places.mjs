import { appendFileSync } from 'node:fs'

// Loaded into a server with --import. It writes down where in dist each statement that is sent was put together, the innermost place first.

const FRAMES = 30
const { PLACES, SQL_MODULE } = process.env
const { empty } = await import(SQL_MODULE)
const Sql = Object.getPrototypeOf(empty)
const { get: text } = Object.getOwnPropertyDescriptor(Sql, 'text')
const made = new WeakMap()
const written = new Set()

Object.defineProperties(Sql, {
  // The constructor sets it.
  strings: {
    set(value) {
      made.set(this, placesHere())
      Object.defineProperty(this, 'strings', { value })
    },
  },
  text: {
    get() {
      const sent = text.call(this)
      const line = JSON.stringify({ text: sent, places: made.get(this) ?? [] })
      if (!written.has(line)) appendFileSync(PLACES, `${line}\n`)
      written.add(line)
      return sent
    },
  },
})

function placesHere() {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = FRAMES
  const { stack } = new Error()
  Error.stackTraceLimit = before
  return [...stack.matchAll(/\/dist\/([\w/.-]+\.js:\d+):\d+/g)].map(([, place]) => place)
}
