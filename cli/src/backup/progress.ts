import { humanSize } from '../../../src/lib/size.ts'
import { createProgressLine } from '../frame/progress.ts'

/** The progress of writing or reading a backup. */
export interface Progress {
  rows: number
  files: number
  sizeBytes: number
}

export function createProgress(what: string): { show(progress: Progress): void; end(): void } {
  const line = createProgressLine()
  return { ...line, show: progress => line.show(() => `${what}: ${amounts(progress)}`) }
}

export function amounts({ rows, files, sizeBytes }: Progress): string {
  const count = (value: number, noun: string) => `${value.toLocaleString('en')} ${noun}${value === 1 ? '' : 's'}`
  return `${count(rows, 'row')}, ${count(files, 'file')}, ${humanSize(sizeBytes)}`
}
