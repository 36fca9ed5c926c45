import { useEffect, useState } from 'preact/hooks'
import { guardPage } from '../frame/address.ts'
import { useCommonWords } from '../words/common.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** For as long as it is rendered, whoever leaves the page is asked first. */
export function LeaveGuard({ title, what }: { title: string; what: string }) {
  const t = useCommonWords()
  const [leave, setLeave] = useState<() => void>()
  useEffect(() => {
    const giveUp = guardPage(leaving => setLeave(() => leaving))
    // The browser asks in its own words.
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', onUnload)
    return () => {
      giveUp()
      removeEventListener('beforeunload', onUnload)
    }
  }, [])
  if (!leave) return null
  return (
    <Dialog title={title} onClose={() => setLeave(undefined)}>
      <div class="stack">
        <p>{what}</p>
        <div class="form-actions">
          <Button main onClick={() => setLeave(undefined)}>
            {t.stay}
          </Button>
          <Button danger onClick={leave}>
            {t.leaveAnyway}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
