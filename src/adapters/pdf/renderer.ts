import { type PdfRenderer, PdfUnavailable } from '../../domain/ports/pdf-renderer.ts'
import { FairQueue, NoRoom, type QueueBounds } from '../../lib/fair-queue.ts'
import { QUEUES } from '../../queues.ts'
import { createPdfProcess, type PdfProcess, type PdfProcessLimits } from './pdf-process.ts'
import { createSealedFolder } from './sealed-folder.ts'

export interface PdfLimits extends PdfProcessLimits, QueueBounds {}

const BUSY = 'Too many PDFs are being made at the moment. Try again soon.'
const LIMITS: PdfLimits = { ...QUEUES.pdfs, seconds: 20, memoryBytes: 1024 ** 3 }

/** Markdown rendered by Typst, a few documents at a time, each in a process of its own. */
export function createTypstRenderer(changed: Partial<PdfLimits> = {}): PdfRenderer {
  const limits = { ...LIMITS, ...changed }
  const folder = createSealedFolder()
  const processes = Array.from({ length: limits.total }, () => createPdfProcess(folder, limits))
  const free = [...processes]
  const queue = new FairQueue<number>('PDFs', limits)

  async function withProcess<T>(work: (pdfProcess: PdfProcess) => Promise<T>): Promise<T> {
    // The queue lets in as many as there are. The one that was returned last is warm.
    const pdfProcess = free.pop() as PdfProcess
    try {
      return await work(pdfProcess)
    } finally {
      free.push(pdfProcess)
    }
  }

  return {
    async render({ companyId, signal, markdown, title }) {
      const print = () => withProcess(pdfProcess => pdfProcess.print({ markdown, title }, signal))
      return queue.run(companyId, print, signal).catch(error => {
        throw error instanceof NoRoom ? new PdfUnavailable(BUSY) : error
      })
    },

    async close() {
      queue.close()
      await Promise.all(processes.map(pdfProcess => pdfProcess.close()))
      folder.remove()
    },
  }
}
