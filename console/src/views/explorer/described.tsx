import { Code } from '../../parts/text.tsx'

/** A text of the description: what is between backticks is code. */
export function Described({ text }: { text: string }) {
  return <bdi lang="en">{text.split('`').map((part, i) => (i % 2 === 1 ? <Code key={part}>{part}</Code> : part))}</bdi>
}
