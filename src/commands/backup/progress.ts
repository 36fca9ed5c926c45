import { humanSize } from '../../lib/size.ts'

/** The progress of writing or reading a backup. */
export interface Progress {
  rows: number
  files: number
  sizeBytes: number
}

const DRAWN_EVERY_MS = 100

/** A line that is redrawn on a terminal, and nothing elsewhere: there the line at the end is enough. */
export function createProgress(what: string): { show(progress: Progress): void; end(): void } {
  const { stderr } = process
  let drawnAt = 0
  return {
    show(progress) {
      if (!stderr.isTTY || performance.now() - drawnAt < DRAWN_EVERY_MS) return
      drawnAt = performance.now()
      stderr.write(`\r\x1b[2K${what}: ${amounts(progress)}`)
    },
    end() {
      if (stderr.isTTY && drawnAt > 0) stderr.write('\r\x1b[2K')
    },
  }
}

export function amounts({ rows, files, sizeBytes }: Progress): string {
  const count = (value: number, noun: string) => `${value.toLocaleString('en')} ${noun}${value === 1 ? '' : 's'}`
  return `${count(rows, 'row')}, ${count(files, 'file')}, ${humanSize(sizeBytes)}`
}
