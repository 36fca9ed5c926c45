/** How many bytes of large bodies may be held at one time. Who does not fit waits, and the client's socket with them. */
export interface BodyBudget {
  /** Resolves when the bytes fit; gives back what must be called when they are let go. */
  reserve(bytes: number): Promise<() => void>
}

export function createBodyBudget(totalBytes: number): BodyBudget {
  const waiting: { bytes: number; admit: () => void }[] = []
  let held = 0

  function admitNext(): void {
    for (let next = waiting[0]; next && (held === 0 || held + next.bytes <= totalBytes); next = waiting[0]) {
      waiting.shift()
      held += next.bytes
      next.admit()
    }
  }

  return {
    reserve(bytes) {
      let isHeld = true
      const release = () => {
        if (!isHeld) return
        isHeld = false
        held -= bytes
        admitNext()
      }
      return new Promise(resolve => {
        waiting.push({ bytes, admit: () => resolve(release) })
        admitNext()
      })
    },
  }
}
