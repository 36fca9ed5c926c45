import { humanSize } from '../../../src/lib/size.ts'
import { note, print, printJson } from '../frame/output.ts'
import type { CopiedFiles } from './files.ts'

export interface Moved {
  /** The company, and its sandbox. */
  ids: number[]
  cell: number
  rows: number
  files: CopiedFiles
  readOnlyMs: number
  totalMs: number
  /** An interrupted move was finished: its figures are those of the rest. */
  wasGoingOn: boolean
}

export function report({ ids, cell, rows, files, readOnlyMs, totalMs, wasGoingOn }: Moved, asJson: boolean): void {
  const damaged = [...files.damaged]
  if (asJson) {
    const times = { read_only_ms: Math.round(readOnlyMs), total_ms: Math.round(totalMs) }
    const amounts = { rows, files: files.verified.size, copied_bytes: files.bytes, damaged_files: damaged }
    printJson({ companies: ids, cell, ...amounts, ...times, resumed: wasGoingOn })
  } else {
    const amounts = `${rows.toLocaleString('en')} rows, ${files.verified.size.toLocaleString('en')} files (${humanSize(files.bytes)} copied)`
    const times = `only read for ${seconds(readOnlyMs)}, ${seconds(totalMs)} in all`
    print(`Moved to cell ${cell}: ${amounts}; ${times}${wasGoingOn ? ', since this run went on' : ''}`)
    print("For the proxy's map:")
    for (const id of ids) print(`${id} cell-${cell}`)
  }
  for (const name of damaged) note(`${name}: its bytes are missing, or not what was uploaded, here too`)
}

export function reportUndone(id: number, asJson: boolean): void {
  if (asJson) printJson({ company: id, undone: true })
  else print(`Company ${id} is served here as before, and there is no copy of it`)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
