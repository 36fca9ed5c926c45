import { Link } from './button.tsx'
import { Sentence } from './sentence.tsx'
import { Name } from './text.tsx'

interface DoerProps {
  /** How the sentence names who did it, such as `The key {name}`. */
  text: string
  name: string | null
  /** Where they are shown, if the reader may see that. */
  to?: string | false | undefined
}

/** Who did something, as part of a sentence. */
export function Doer({ text, name, to }: DoerProps) {
  const shown = <Name>{name}</Name>
  return <Sentence text={text} fill={{ name: to ? <Link to={to}>{shown}</Link> : shown }} />
}
