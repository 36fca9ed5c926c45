const DRAWN_EVERY_MS = 100

/** A status line that is redrawn in place. */
export interface ProgressLine {
  show(text: () => string): void
  /** Clears it. */
  end(): void
}

/** Draws on a terminal only; elsewhere, what is printed at the end is enough. */
export function createProgressLine(): ProgressLine {
  const { stderr } = process
  let drawnAt = 0
  return {
    show(text) {
      if (!stderr.isTTY || performance.now() - drawnAt < DRAWN_EVERY_MS) return
      drawnAt = performance.now()
      stderr.write(`\r\x1b[2K${text()}`)
    },
    end() {
      if (stderr.isTTY && drawnAt > 0) stderr.write('\r\x1b[2K')
    },
  }
}
