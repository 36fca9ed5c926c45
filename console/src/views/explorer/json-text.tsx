import type { ComponentChildren } from 'preact'

/** Marks that change the direction of what follows are shown as JSON escapes, and change nothing. */
export function shown(text: string): string {
  return text.replace(
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    mark => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** JSON, indented. Every text in it is isolated, whatever its direction. */
export function JsonText({ value, label }: { value: unknown; label: string }) {
  return (
    <Scrolling label={label} dir="ltr">
      {written(value, '')}
    </Scrolling>
  )
}

/** A long text in a frame of its own, which the keyboard can scroll. */
export function Scrolling({
  label,
  dir,
  children,
}: {
  label: string
  dir: 'ltr' | 'auto'
  children: ComponentChildren
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be for input
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached, so that it can be read without a mouse
    <div class="json" role="group" aria-label={label} tabIndex={0}>
      <pre dir={dir}>{children}</pre>
    </div>
  )
}

function written(value: unknown, indent: string): ComponentChildren {
  if (typeof value === 'string') return <bdi class="json-text">{shown(JSON.stringify(value))}</bdi>
  if (typeof value !== 'object' || value === null) return <span class="json-plain">{String(value)}</span>
  const deeper = `${indent}  `
  const isList = Array.isArray(value)
  const entries = Object.entries(value).map(([name, one], i, all) => (
    <>
      {`\n${deeper}`}
      {!isList && (
        <>
          <bdi class="json-name">{shown(JSON.stringify(name))}</bdi>:{' '}
        </>
      )}
      {written(one, deeper)}
      {i < all.length - 1 && ','}
    </>
  ))
  const [open, close] = isList ? '[]' : '{}'
  if (entries.length === 0) return `${open}${close}`
  return [open, ...entries, `\n${indent}${close}`]
}
