import { useState } from 'preact/hooks'
import { useCommonWords } from '../words/common.ts'
import { Button } from './button.tsx'
import { LeaveGuard } from './leave-guard.tsx'

interface CopyableProps {
  value: string
  label: string
  onCopied?: () => void
}

/** Something to copy, from left to right. */
export function Copyable({ value, label, onCopied }: CopyableProps) {
  const t = useCommonWords()
  return (
    <div class="copyable">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be for input */}
      <div class="copied-text" role="group" aria-label={label}>
        <pre dir="ltr" onCopy={onCopied}>
          {value}
        </pre>
      </div>
      <CopyButton value={value} onCopied={onCopied}>
        {t.copy}
      </CopyButton>
    </div>
  )
}

interface CopyButtonProps {
  value: string
  /** On the button. */
  children: string
  onCopied?: () => void
}

/** A button that copies what is not shown as such, and says that it did. */
export function CopyButton({ value, children, onCopied }: CopyButtonProps) {
  const t = useCommonWords()
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(value)
    setCopied(true)
    onCopied?.()
    setTimeout(() => setCopied(false), COPIED_SHOWN_MS)
  }
  return (
    <Button icon={copied ? 'check' : 'copy'} onClick={copy}>
      <span aria-live="polite">{copied ? t.copied : children}</span>
    </Button>
  )
}

const COPIED_SHOWN_MS = 2_000

/** Browsers have no clipboard API for pages without TLS, and may refuse it to others; the old way works there. */
async function copyText(text: string): Promise<void> {
  try {
    return await navigator.clipboard.writeText(text)
  } catch {
    copyBySelection(text)
  }
}

function copyBySelection(text: string): void {
  const area = document.createElement('textarea')
  area.value = text
  // Inside the open dialog, because nothing outside it can be selected.
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

interface ShownOnceProps {
  value: string
  label: string
  /** That it was copied in another way. */
  isKept?: boolean
  onCopied?: () => void
}

/** A secret that is shown this once. Whoever leaves the page, or closes its dialog, before copying it is asked first. */
export function ShownOnce({ value, label, isKept = false, onCopied }: ShownOnceProps) {
  const t = useCommonWords()
  const [isCopied, setCopied] = useState(false)
  const copied = () => {
    setCopied(true)
    onCopied?.()
  }
  return (
    <div class="note warn">
      <p>
        <strong>{t.shownOnce}</strong>
      </p>
      <Copyable value={value} label={label} onCopied={copied} />
      {!isCopied && !isKept && <LeaveGuard title={t.leaveUncopied} what={t.leaveUncopiedWhat} />}
    </div>
  )
}
