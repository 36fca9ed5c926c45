import { appendFileSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

// Loaded into a server with --import. It writes down for how long the thread that answers requests ran whenever that was without a
// pause in which somebody else could have been answered.

const EVERY_MS = 2
const WRITTEN_FROM_MS = 10

if (isMainThread) {
  const ranMs = () =>
    Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1_000_000
  const file = `${process.env.STRETCHES}.${process.pid}`
  appendFileSync(file, '')
  let before = ranMs()
  setInterval(() => {
    const now = ranMs()
    if (now - before > WRITTEN_FROM_MS) appendFileSync(file, `${now} ${now - before}\n`)
    before = now
  }, EVERY_MS).unref()
}
