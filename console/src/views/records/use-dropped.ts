import { useState } from 'preact/hooks'

/** Takes files that are dropped on something or pasted into it; nothing while there is nobody to take them. */
export function useDropped(take: ((files: Iterable<File>) => void) | undefined) {
  const [isOver, setOver] = useState(false)
  const holdsFiles = (data: DataTransfer | null) => take !== undefined && data?.types.includes('Files') === true
  const receive = (event: Event, data: DataTransfer | null) => {
    if (!data || !holdsFiles(data) || data.files.length === 0) return
    event.preventDefault()
    take?.(data.files)
  }
  const on = {
    onDragOver: (event: DragEvent) => {
      if (!holdsFiles(event.dataTransfer)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false)
      receive(event, event.dataTransfer)
    },
    onPaste: (event: ClipboardEvent) => receive(event, event.clipboardData),
  }
  return { isOver, on }
}
