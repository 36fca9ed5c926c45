import { Worker } from 'node:worker_threads'
import { createCompiler } from './compiler.ts'
import { loadFonts } from './fonts.ts'
import { markdownToTypst } from './markdown-to-typst.ts'

/** What the process is started with. */
export interface WorkerLimits {
  memoryBytes: number
}

export interface Manuscript {
  markdown: string
  /** For a document without a heading. */
  title: string
}

/** The answers: that it is ready; then, for each manuscript, that it has begun, and a PDF or why there is none. */
export type RenderAnswer = 'ready' | 'begun' | { pdf: Uint8Array; memoryBytes: number } | { failed: string }

const { memoryBytes } = JSON.parse(process.argv[2] as string) as WorkerLimits
watchMemory(memoryBytes)
// The process runs in an empty folder.
const fonts = loadFonts()
const compile = createCompiler(process.cwd(), fonts.files)

process.on('message', (manuscript: Manuscript) => {
  // Only once that is sent: what follows keeps this thread busy.
  process.send?.('begun' satisfies RenderAnswer, () => answer(render(manuscript)))
})
process.on('disconnect', () => process.exit())
answer('ready')

function render({ markdown, title }: Manuscript): RenderAnswer {
  try {
    const source = markdownToTypst(markdown, { title, fonts: fonts.choose })
    return { pdf: compile(source), memoryBytes: process.memoryUsage.rss() }
  } catch (error) {
    return { failed: (error as Error).message }
  }
}

function answer(message: RenderAnswer): void {
  process.send?.(message)
}

/**
 * Ends the process when it uses too much memory, or when its parent is gone. It runs in a thread, because this one is busy for
 * as long as a document takes; it goes by the size of the process, because Typst's memory is not V8's.
 */
function watchMemory(bytes: number): void {
  const watch = `
    const { ppid } = process
    setInterval(() => {
      if (process.memoryUsage.rss() > ${bytes} || process.ppid !== ppid) process.kill(process.pid, 'SIGKILL')
    }, 50)
  `
  new Worker(watch, { eval: true }).unref()
}
