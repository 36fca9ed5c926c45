import type { PdfRenderer } from '../../domain/ports/pdf-renderer.ts'
import { createPress, type PressLimits } from './press.ts'
import { createFairQueue, type QueueBounds } from './queue.ts'
import { createSealedFolder } from './sealed-folder.ts'

export interface PdfLimits extends PressLimits, QueueBounds {
  /** How many documents are rendered at the same time, each in a process of its own. */
  processes: number
}

const LIMITS: PdfLimits = {
  seconds: 20,
  memoryBytes: 1024 ** 3,
  processes: 2,
  waiting: 64,
  waitingPerCompany: 16,
  waitSeconds: 10,
}

/** Markdown rendered by Typst, a few documents at a time. */
export function createTypstRenderer(changed: Partial<PdfLimits> = {}): PdfRenderer {
  const limits = { ...LIMITS, ...changed }
  const folder = createSealedFolder()
  const presses = Array.from({ length: limits.processes }, () => createPress(folder, limits))
  const queue = createFairQueue(presses, limits)

  return {
    render({ companyId, signal, markdown, title }) {
      return queue.run(companyId, signal, press => press.print({ markdown, title }, signal))
    },

    async close() {
      queue.close()
      await Promise.all(presses.map(press => press.close()))
      folder.remove()
    },
  }
}
