import { unavailable } from '../../domain/errors.ts'
import type { PdfRenderer } from '../../domain/ports/pdf-renderer.ts'
import { FairQueue, NoRoom, type QueueBounds } from '../../lib/fair-queue.ts'
import { QUEUES } from '../../queues.ts'
import { createPress, type Press, type PressLimits } from './press.ts'
import { createSealedFolder } from './sealed-folder.ts'

export interface PdfLimits extends PressLimits, QueueBounds {}

const LIMITS: PdfLimits = { ...QUEUES.pdfs, seconds: 20, memoryBytes: 1024 ** 3 }

/** Markdown rendered by Typst, a few documents at a time, each in a process of its own. */
export function createTypstRenderer(changed: Partial<PdfLimits> = {}): PdfRenderer {
  const limits = { ...LIMITS, ...changed }
  const folder = createSealedFolder()
  const presses = Array.from({ length: limits.total }, () => createPress(folder, limits))
  const free = [...presses]
  const queue = new FairQueue<number>('PDFs', limits)

  async function withPress<T>(work: (press: Press) => Promise<T>): Promise<T> {
    // The queue lets in as many as there are. The one that was returned last is warm.
    const press = free.pop() as Press
    try {
      return await work(press)
    } finally {
      free.push(press)
    }
  }

  return {
    async render({ companyId, signal, markdown, title }) {
      const print = () => withPress(press => press.print({ markdown, title }, signal))
      return queue.run(companyId, print, signal).catch(error => {
        throw error instanceof NoRoom ? busy() : error
      })
    },

    async close() {
      queue.close()
      await Promise.all(presses.map(press => press.close()))
      folder.remove()
    },
  }
}

const busy = () => unavailable('Too many PDFs are being made at the moment. Try again soon.')
