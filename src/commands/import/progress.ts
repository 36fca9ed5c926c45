import { note } from '../frame/output.ts'

const LINE_EVERY_MS = 10_000
const REDRAW_EVERY_MS = 200

/** A line that is redrawn on a terminal; otherwise a line now and then. */
export function createProgress(total: number, doneBefore: number) {
  const startedAt = performance.now()
  const isTerminal = process.stderr.isTTY
  let shownAt = startedAt
  let done = doneBefore
  if (doneBefore > 0) note(`Continuing after ${doneBefore} of ${total} tasks`)

  function line(): string {
    const seconds = (performance.now() - startedAt) / 1000
    const perSecond = (done - doneBefore) / Math.max(seconds, 0.001)
    const left = perSecond > 0 ? `, ${Math.ceil((total - done) / perSecond)} s left` : ''
    return `${done} of ${total} tasks, ${Math.round(perSecond)} a second${left}`
  }

  return {
    update(tasks: number): void {
      done = tasks
      const now = performance.now()
      if (now - shownAt < (isTerminal ? REDRAW_EVERY_MS : LINE_EVERY_MS)) return
      shownAt = now
      if (isTerminal) process.stderr.write(`\r\u001b[K${line()}`)
      else note(line())
    },
    end(wasStopped: boolean): void {
      if (isTerminal) process.stderr.write('\r\u001b[K')
      if (wasStopped) note(`${done} of ${total} tasks imported`)
    },
  }
}
