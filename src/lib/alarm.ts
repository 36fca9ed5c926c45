/** Something that waits for a time, or for somebody to say that there is no need to wait any longer. */
interface Alarm {
  /** Returns when the time has passed or the alarm rings; at once if it has rung since the last wait. */
  wait(ms: number): Promise<void>
  ring(): void
}

export function createAlarm(): Alarm {
  let hasRung = false
  let wake: (() => void) | undefined

  return {
    async wait(ms) {
      if (!hasRung && ms > 0)
        await new Promise<void>(resolve => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      wake = undefined
      hasRung = false
    },

    ring() {
      hasRung = true
      wake?.()
    },
  }
}
