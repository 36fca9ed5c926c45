import type { ComponentChildren } from 'preact'
import { ownDirection } from '../../../src/lib/base-direction.ts'
import { inDigits } from '../words/digits.ts'
import { formatNumber, useLanguage } from '../words/language.ts'

/** Text that people wrote, wherever it is: it has its own direction. */
export function Name({ children }: { children: string | null | undefined }) {
  return (
    <bdi class="name" dir={ownDirection(children ?? '')}>
      {children ?? '—'}
    </bdi>
  )
}

/** If it is too long for its line, it breaks before the @ rather than anywhere. */
export function Email({ children }: { children: string | null | undefined }) {
  const at = children?.lastIndexOf('@') ?? -1
  if (!children || at < 0) return <Name>{children}</Name>
  return (
    <bdi class="name">
      {children.slice(0, at)}
      <wbr />
      {children.slice(at)}
    </bdi>
  )
}

/**
 * A sentence of the server, or one of ours with a name in it. It may begin with a name or with a field, which are isolated: the
 * direction of the sentence is that of what stands outside, and not that of its first letter.
 */
export function Told({ children }: { children: string }) {
  const own = children.replace(/[\u2067\u2068][^\u2069]*\u2069/g, '')
  return /\p{Script=Arabic}/u.test(own) ? <bdi dir="rtl">{inDigits(children)}</bdi> : <bdi dir="ltr">{children}</bdi>
}

export function Figure({ children, ...options }: { children: number } & Intl.NumberFormatOptions) {
  const language = useLanguage()
  return <bdi>{formatNumber(language, children, options)}</bdi>
}

/** Identifiers, URLs and operations: from left to right in every language. */
export function Code({ children }: { children: ComponentChildren }) {
  return (
    <code dir="ltr" class="code">
      {children}
    </code>
  )
}

/** Longer text that people wrote: its lines are kept, each in its own direction. */
export function Prose({ children }: { children: string }) {
  return (
    <div class="prose" dir={ownDirection(children)}>
      {children.split('\n').map((line, index) => (
        <div key={index} dir={ownDirection(line)}>
          {line === '' ? <br /> : line}
        </div>
      ))}
    </div>
  )
}

export type Tone = 'good' | 'warn' | 'bad' | 'plain'

/** A state in a word. The word carries the meaning; the colour only helps. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

/** A sentence that a reader should not miss. */
export function Note({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) {
  return <div class={`note ${tone}`}>{children}</div>
}
