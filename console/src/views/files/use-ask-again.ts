import { useEffect, useRef } from 'preact/hooks'

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]

/** Asks again for as long as something is pending and the page is looked at: soon after a change, then less and less often. */
export function useAskAgain(pending: number, ask: () => void): void {
  const latest = useRef(ask)
  latest.current = ask
  useEffect(() => {
    if (pending === 0) return
    let round = 0
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      timer = setTimeout(
        () => {
          if (document.visibilityState === 'visible') latest.current()
          wait()
        },
        PAUSES_MS[Math.min(round++, PAUSES_MS.length - 1)],
      )
    }
    wait()
    return () => clearTimeout(timer)
  }, [pending])
}
