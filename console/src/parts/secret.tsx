import { useState } from 'preact/hooks'
import { useCommonWords } from '../words/common.ts'
import { Button } from './button.tsx'

/** Something to copy, from left to right. */
export function Copyable({ value, label }: { value: string; label: string }) {
  const t = useCommonWords()
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }
  return (
    <div class="copyable">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be for input */}
      <div class="copied-text" role="group" aria-label={label}>
        <pre dir="ltr">{value}</pre>
      </div>
      <Button icon={copied ? 'check' : 'copy'} onClick={copy}>
        <span aria-live="polite">{copied ? t.copied : t.copy}</span>
      </Button>
    </div>
  )
}

/** Browsers have no clipboard API for pages without TLS; the old way works there. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  // Inside the open dialog, because nothing outside it can be selected.
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

/** A secret that is shown this once. */
export function ShownOnce({ value, label }: { value: string; label: string }) {
  const t = useCommonWords()
  return (
    <div class="note warn">
      <p>
        <strong>{t.shownOnce}</strong>
      </p>
      <Copyable value={value} label={label} />
    </div>
  )
}
