import { counted } from '../../../src/lib/counted.ts'
import { note } from '../frame/output.ts'
import { createProgressLine } from '../frame/progress.ts'

const NOTE_EVERY_MS = 10_000

/** A line that is redrawn on a terminal; otherwise a line now and then. */
export function createProgress(total: number, doneBefore: number) {
  const startedAt = performance.now()
  const drawn = createProgressLine()
  let notedAt = startedAt
  let done = doneBefore
  if (doneBefore > 0) note(`Continuing after ${doneBefore} of ${counted(total, 'task')}`)

  function line(): string {
    const seconds = (performance.now() - startedAt) / 1000
    const perSecond = (done - doneBefore) / Math.max(seconds, 0.001)
    const left = perSecond > 0 ? `, ${Math.ceil((total - done) / perSecond)} s left` : ''
    return `${done} of ${counted(total, 'task')}, ${Math.round(perSecond)} a second${left}`
  }

  return {
    update(tasks: number): void {
      done = tasks
      drawn.show(line)
      if (process.stderr.isTTY || performance.now() - notedAt < NOTE_EVERY_MS) return
      notedAt = performance.now()
      note(line())
    },
    end(wasStopped: boolean): void {
      drawn.end()
      if (wasStopped) note(`${done} of ${counted(total, 'task')} imported`)
    },
  }
}
