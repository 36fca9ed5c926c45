import { useEffect, useState } from 'preact/hooks'
import { followOnPage, onReach } from './hub.ts'
import { useLiveWords } from './words.ts'

/** A connection that comes back by then was not worth a word. */
const SHORT_MS = 1_500

/** Keeps what is shown of a company up to date, and says so when that is not possible. */
export function Live({ company }: { company: number }) {
  const t = useLiveWords()
  const [isLost, setLost] = useState(false)
  useEffect(() => followOnPage(company), [company])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onReach(isReached => {
      clearTimeout(timer)
      if (isReached) setLost(false)
      else timer = setTimeout(() => setLost(true), SHORT_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
  return (
    <div class="lost" role="status">
      {isLost && <p>{t.lost}</p>}
    </div>
  )
}
