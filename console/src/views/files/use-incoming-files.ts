import { useEffect, useRef, useState } from 'preact/hooks'

/**
 * Files that are dropped anywhere in the window, or pasted where nobody is writing. Tells whether some are being dragged over the
 * window at the moment.
 */
export function useIncomingFiles(isWanted: boolean, take: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(take)
  latest.current = take
  useEffect(() => {
    if (!isWanted) return
    const leaving = new AbortController()
    const listen = <E extends Event>(name: string, listener: (event: E) => void) =>
      addEventListener(name, listener as EventListener, { signal: leaving.signal })
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      // Without this the browser would open the file in place of the page.
      event.preventDefault()
      setOver(true)
    }
    listen('dragenter', over)
    listen('dragover', over)
    listen('dragleave', ({ relatedTarget }: DragEvent) => {
      // It is null where the pointer leaves the window.
      if (relatedTarget === null) setOver(false)
    })
    listen('drop', (event: DragEvent) => {
      setOver(false)
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      if (!document.querySelector('dialog[open]')) latest.current(files)
    })
    listen('paste', (event: ClipboardEvent) => {
      const isWriting = event.target instanceof Element && event.target.closest('input, textarea, dialog')
      const files = [...(event.clipboardData?.files ?? [])]
      if (isWriting || files.length === 0) return
      event.preventDefault()
      latest.current(files)
    })
    return () => leaving.abort()
  }, [isWanted])
  return isOver
}
