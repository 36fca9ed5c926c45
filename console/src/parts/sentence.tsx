import { type ComponentChildren, Fragment } from 'preact'

/** A sentence with gaps such as `{who}`, each filled with a name, a link or another sentence. */
export function Sentence({ text, fill }: { text: string; fill: Record<string, ComponentChildren> }) {
  return (
    <>
      {text.split(/\{(\w+)\}/).map((part, n) => (
        <Fragment key={n}>{n % 2 === 0 ? part : fill[part]}</Fragment>
      ))}
    </>
  )
}
